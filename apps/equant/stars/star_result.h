/* One star from its files to its planets: the data, the fit, and what is derived from
 * both for reports. Also what results/fit_archive.h and posterior_result.h make of results on disk:
 * these have no equant_fit behind them. */
#ifndef EQUANT_APP_STARS_STAR_RESULT_H
#define EQUANT_APP_STARS_STAR_RESULT_H

#include <stdbool.h>

#include "equant.h"
#include "options/fit_request.h"
#include "stars/planet_name.h"
#include "stars/star_noise.h"
#include "stars/star_outliers.h"
#include "stars/star_planet.h"
#include "terminal/text_list.h"

/* Value and uncertainty of a parameter. */
struct star_parameter {
    double value, uncertainty;
};

/* Whether it differs from zero by more than three times its error: only then is anything made of
 * it. */
bool star_parameter_is_significant(struct star_parameter parameter);

enum { STAR_RESULT_MOST_PAIRS = 8 };
/* Probabilities of as many numbers of planets are kept, at most. */
enum { STAR_RESULT_MOST_NUMBERS = 32 };

struct star_result {
    equant_dataset *dataset;
    equant_fit *fit;               /* NULL: of a posterior */
    equant_comparison *comparison; /* NULL: not asked for (star_comparison.h) */
    equant_fit_summary summary;
    size_t n_planets;
    struct star_planet *planets;   /* [n_planets], by period                          */
    struct planet_letters letters; /* of those that states were given for */
    bool has_candidate;
    struct star_planet candidate;
    size_t n_pairs; /* of aliases that two planets may have only together */
    equant_alias_pair pairs[STAR_RESULT_MOST_PAIRS];
    size_t n_numbers; /* of planets that have a probability; 0: unknown        */
    double numbers[STAR_RESULT_MOST_NUMBERS]; /* of 0, 1, 2 ... planets       */
    bool is_sampled;                          /* they are those of `compare`  */
    double threshold; /* as it was asked for; 0: the usual one                         */
    char refused_because[32], refusal[320]; /* why: a word, and a sentence; "": not known */
    equant_model *model;                    /* offsets, trend and jitter are columns */
    struct star_parameter *parameters;      /* [n_parameters of the model]           */
    double *model_m_s, *residual_m_s;       /* [n_obs], in the data's order          */
    struct star_noise noise;                /* beside jitters                        */
    struct star_outliers outliers;          /* observations with wider errors        */
    struct text_list warnings;              /* the reader's                          */
    struct text_list hints;                 /* fit_hints.h                           */
};

/* Reads the data, as the request says. Returns an exit code, with a sentence on failure;
 * free it in any case. */
int star_result_load(const struct fit_request *request, const char *command,
                     const struct file_list *files, struct star_result *star);

/* Fits data that have been loaded. `label` stands before the stages in the progress bar.
 * Returns an exit code, with a sentence on failure. */
int star_result_run(const struct fit_request *request, const char *label, struct star_result *star);

/* Takes what a fit of the data knows, both of which the star owns already, with the hints of its
 * record. Returns an exit code, with a sentence on failure. */
int star_result_take_fit(struct star_result *star, size_t n_hints, const char *const *hints);

/* What a request asks of a fit, without planets to begin with and without progress; valid as long
 * as the request. */
equant_fit_options star_result_fit_options(const struct fit_request *request);

/* Takes the probabilities of planets and of their number from the fit, which may have new ones. */
void star_result_collect_probabilities(struct star_result *star);

void star_result_free(struct star_result *star);

/* Planets of the model that are less probable than this are candidates. */
double star_result_threshold(const struct star_result *star);
/* Whether a planet is one; of one that was given, or not
 * judged, nothing is said. */
bool star_result_is_candidate(const struct star_result *star, size_t planet);
size_t star_result_n_candidates(const struct star_result *star);
/* Planets of the model that are none. */
size_t star_result_n_found(const struct star_result *star);

/* Makes the model and room for its parameters, all zero, where data and planets are known.
 * Returns an exit code, with a sentence on failure. */
int star_result_prepare(struct star_result *star, equant_trend trend);

/* Sets the parameter of that name; one that the model lacks is left out. */
void star_result_set(struct star_result *star, const char *name, struct star_parameter parameter);

/* Fills model_m_s and residual_m_s from the parameters, where no fit has them. Returns an exit
 * code, with a sentence on failure. */
int star_result_evaluate(struct star_result *star, double *chi_square);

/* Column of the model that has this name, such as "jitter_m_s_1"; false when the
 * model has none. */
bool star_result_parameter(const struct star_result *star, const char *name,
                           struct star_parameter *parameter);

/* Of an instrument by a name such as "offset_m_s"; 0 where the model has none. */
struct star_parameter star_result_of_instrument(const struct star_result *star, const char *name,
                                                size_t instrument);
/* Offset and jitter of an instrument; a jitter that was not fitted is 0. */
struct star_parameter star_result_offset(const struct star_result *star, size_t instrument);
struct star_parameter star_result_jitter(const struct star_result *star, size_t instrument);

/* Uncertainty of observation k with its instrument's jitter in it, wider where it is an outlier. */
double star_result_uncertainty(const struct star_result *star, size_t k);

/* What the trend adds at a time. */
double star_result_trend_at(const struct star_result *star, double time_days);

double star_result_span_days(const struct star_result *star);

#endif
