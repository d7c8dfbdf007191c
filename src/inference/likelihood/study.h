/* A star under study: its data, the evaluators of the models tried on it, and what the
 * caller asked for. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_STUDY_H
#define EQUANT_INFERENCE_LIKELIHOOD_STUDY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/accelerator.h"
#include "core/dataset.h"
#include "equant.h"
#include "inference/likelihood/noise_menu.h"
#include "inference/likelihood/outlier_set.h"
#include "model/parameter_layout.h"

/* Each instrument is a column of the scan: beyond this many it takes hours, and what is meant are
 * nights or orders, not instruments. */
enum { STUDY_MAX_PLANETS = 20, STUDY_TREND_ORDERS = 3, STUDY_MAX_INSTRUMENTS = 128 };

typedef struct set_worker set_worker; /* of set_likelihood.c */

/* What a thread evaluates with, made when first asked for. */
typedef struct study_evaluators {
    equant_model *models[STUDY_MAX_PLANETS + 1][STUDY_TREND_ORDERS];
    equant_evaluator *evaluators[STUDY_MAX_PLANETS + 1][STUDY_TREND_ORDERS];
    set_worker *worker;
} study_evaluators;

typedef struct study_crew study_crew;

typedef struct study {
    /* A star is studied at an epoch near its data, whatever the reference time of the caller: far
     * away, phases lose digits and go with periods. */
    const equant_dataset *dataset;
    equant_dataset at_own_epoch;
    double reference_time_days; /* of the caller */
    size_t n_obs, n_instruments;
    double span_days;
    double period_min_days, period_max_days; /* that a planet may have */
    bool may_widen;                          /* the caller left the longest period open */
    bool with_jitter;                        /* false: jitters stay zero */
    equant_engine_options fit_engine;        /* double precision */
    equant_engine_options scan_engine;
    accelerator gpu; /* that derivatives may go to; each evaluator turns to it on its own */
    equant_progress progress;
    void *progress_context;
    char stage[80]; /* what the caller was last told, and when; "": nothing */
    double stage_done, told_at_s;
    /* The observations of instrument i are rows[first_row[i]] to rows[first_row[i + 1] - 1]. */
    size_t *rows, *first_row;
    noise_menu menu;   /* of the noise beside jitters that models may have */
    outlier_book book; /* of the outliers that they may have */
    /* Planets in whose signal few observations share, and which are probable all the same: they
     * count as measurements. */
    size_t n_trusted;
    double trusted_days[STUDY_MAX_PLANETS];
    bool chooses_noise;          /* models choose from it; else all have all of it */
    bool weighs_shapes;          /* other shapes of what they choose are tried, too */
    study_evaluators own, *made; /* those of this study are where `made` points */
    /* Threads that pieces of its work are shared out to (study_crew.h), made when first needed; of
     * the study of such a piece, whose it is, and on which thread. */
    study_crew *crew;
    struct study *whole;
    int worker;
    atomic_bool is_cancelled; /* of the whole: the caller has had enough */
    double deadline_s;        /* of wall_clock_s: when it is cancelled; INFINITY: never */
    bool is_late;             /* of the whole: cancelled because the deadline has passed */
} study;

/* Options of a search or a fit that a star keeps; zero means the default. */
typedef struct study_options {
    const equant_engine_options *engine;
    bool exact_precision, no_jitter;
    host_star star;         /* as far as it is known: priors of its noise follow */
    const char *noise;      /* NULL: white; "auto"; or terms, which all models have */
    const char *indicators; /* NULL: "auto"; "none"; or names, which all models have */
    bool as_series;         /* indicators are series of one process with the velocities */
    const char *outliers;   /* as outlier_book_read takes them */
    double period_min_days, period_max_days;
    bool keeps_reference_time; /* that of the data: states are counted from there */
    equant_progress progress;
    void *progress_context;
} study_options;

/* Borrows the data set; the study must stay where it is. Free it in any case. */
equant_status study_create(study *star, const equant_dataset *dataset,
                           const study_options *options);
void study_free(study *star);
void study_evaluators_free(study_evaluators *made);

/* What a model of a star has. */
typedef struct study_shape {
    size_t n_planets;
    int trend_order;
    noise_choice noise;
} study_shape;

/* The evaluator of a model with offsets, trend and jitters as columns. */
equant_status study_evaluator(study *star, size_t n_planets, int trend_order,
                              equant_evaluator **evaluator);

/* The errors of the observations, [n_obs], those of outliers widened. */
const double *study_uncertainties(const study *star, noise_choice noise);

/* The same orbits, [n_planets][N_ELEMENTS], with m0 at the epoch of the study instead of the
 * caller's reference time, and back. Where both are the same, no bit changes. */
void study_orbits_to_epoch(const study *star, size_t n_planets, double *elements);
void study_orbits_to_reference(const study *star, size_t n_planets, double *elements);

/* From the epoch of the study to the caller's reference time. */
double study_days_to_reference(const study *star);

/* Tells the caller; EQUANT_ERROR_CANCELLED when the caller has had enough. */
equant_status study_report(study *star, const char *stage, double done);

/* The same as the progress callback of a call within the study, its context: deadlines end it. */
int study_hear(const equant_progress_report *report, void *study);

/* Asks a caller who has not been told anything for a while whether to go on: EQUANT_ERROR_CANCELLED
 * when not. Cheap, for loops within a stage. */
equant_status study_still_wanted(study *star);

/* What is left after a study was cancelled takes a moment, and is not asked about. */
void study_go_on(study *star);

/* Checks what a caller may get wrong: elements [n_planets][N_ELEMENTS]. */
equant_status study_check_planets(size_t n_planets, const double *elements);

/* Orbits that do not fall into a star like the Sun: the largest eccentricity at a period, never
 * more than STUDY_MAX_ECCENTRICITY, and the shortest period at an eccentricity. */
#define STUDY_MAX_ECCENTRICITY 0.97
double study_largest_eccentricity(double period_days);
double study_shortest_period(double eccentricity);

/* Up to which a period is followed, eight times the span or the end of the range that is searched.
 * Beyond, an orbit is a parabola. */
double study_longest_period(const study *star);

/* The layout of the sets of a model with offsets, trend and jitters as columns. Those of the menu
 * are there whether a model has chosen them or not: factors of indicators behind the trend,
 * parameters of correlated noise behind the jitters. Evaluators know neither
 * (set_likelihood.h). */
parameter_layout study_layout(const study *star, size_t n_planets, int trend_order);
/* Where they begin. */
size_t study_first_indicator(const study *star, size_t n_planets, int trend_order);
size_t study_first_correlated(const study *star, size_t n_planets, int trend_order);

#endif
