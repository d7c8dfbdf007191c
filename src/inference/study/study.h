/* A star under study: its data, the evaluators of the models tried on it, and what the
 * caller asked for. */
#ifndef EQUANT_INFERENCE_STAR_H
#define EQUANT_INFERENCE_STAR_H

#include <stdbool.h>

#include "equant.h"

enum { STAR_MAX_PLANETS = 20, STAR_TREND_ORDERS = 3 };

typedef struct star_study {
    const equant_dataset *dataset;
    size_t n_obs, n_instruments;
    double span_days;
    double period_min_days, period_max_days; /* that a planet may have */
    bool with_jitter;                        /* false: jitters stay zero */
    equant_engine_options fit_engine;        /* double precision */
    equant_engine_options scan_engine;
    equant_progress progress;
    void *progress_context;
    /* Made when first asked for. */
    equant_model *models[STAR_MAX_PLANETS + 1][STAR_TREND_ORDERS];
    equant_evaluator *evaluators[STAR_MAX_PLANETS + 1][STAR_TREND_ORDERS];
} star_study;

/* Options of a search or a fit that a star keeps; zero means the default. */
typedef struct star_options {
    const equant_engine_options *engine;
    bool exact_precision, no_jitter;
    double period_min_days, period_max_days;
    equant_progress progress;
    void *progress_context;
} star_options;

/* Borrows the data set. */
equant_status star_create(star_study *star, const equant_dataset *dataset,
                          const star_options *options);
void star_free(star_study *star);

/* The evaluator of a model with offsets, trend and jitters as columns. */
equant_status star_evaluator(star_study *star, size_t n_planets, int trend_order,
                             equant_evaluator **evaluator);

/* Tells the caller; EQUANT_ERROR_CANCELLED when the caller has had enough. */
equant_status star_report(const star_study *star, const char *stage, double done);

/* Checks what a caller may get wrong: elements [n_planets][5], and a trend. */
equant_status star_check_planets(size_t n_planets, const double *elements);
equant_status star_check_trend(equant_trend trend);

/* Orbits that do not fall into a star like the Sun: the largest eccentricity at a period, never
 * more than STAR_MAX_ECCENTRICITY, and the shortest period at an eccentricity. */
#define STAR_MAX_ECCENTRICITY 0.97
double star_largest_eccentricity(double period_days);
double star_shortest_period(double eccentricity);

/* Where the columns of a parameter set begin. */
typedef struct star_columns {
    size_t offsets, trend, jitters, n; /* planets begin at 0 */
} star_columns;
star_columns star_columns_of(const star_study *star, size_t n_planets, int trend_order);

#endif
