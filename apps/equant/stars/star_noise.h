/* What a fit says of noise beside jitters: its terms with their values, the indicators that the
 * velocities follow, and what was offered. */
#ifndef EQUANT_APP_STARS_STAR_NOISE_H
#define EQUANT_APP_STARS_STAR_NOISE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    STAR_NOISE_MOST_TERMS = 16,
    STAR_NOISE_MOST_PARAMETERS = 64,
    STAR_NOISE_MOST_INDICATORS = 64,
    STAR_NOISE_WORD_SIZE = 32,
    STAR_NOISE_TERM_SIZE = 64,
    STAR_NOISE_NAME_SIZE = 64
};

struct star_noise_parameter {
    char term[STAR_NOISE_TERM_SIZE]; /* "mep", or "mep@HARPS" of one instrument */
    char name[STAR_NOISE_WORD_SIZE], unit[STAR_NOISE_WORD_SIZE];
    double value, err; /* an error of 0: fixed, or at an end of its range */
    bool is_fixed;
};

struct star_noise_trial {
    char term[STAR_NOISE_TERM_SIZE];
    bool is_chosen, is_given;
    double log_likelihood_gain, delta_bic; /* as in equant_fitted_noise_trial */
};

struct star_noise_indicator {
    char name[STAR_NOISE_NAME_SIZE];
    size_t instrument; /* of the data set, from 0 */
    double slope_m_s, slope_m_s_err, mean, deviation;
    double smoothing_days; /* as in equant_fitted_indicator */
};

/* As equant_fitted_indicator_trial. */
struct star_noise_indicator_trial {
    char name[STAR_NOISE_NAME_SIZE];
    size_t instrument;
    double smoothing_days;
    bool is_chosen, is_given;
    double log_likelihood_gain, delta_bic;
};

/* As equant_fitted_series. */
struct star_noise_series {
    char name[STAR_NOISE_NAME_SIZE];
    size_t instrument;
    double scale, scale_err, rate, rate_err, jitter, jitter_err;
};

struct star_noise {
    size_t n_parameters, n_trials, n_indicators, n_indicator_trials, n_series;
    struct star_noise_parameter parameters[STAR_NOISE_MOST_PARAMETERS]; /* term by term */
    struct star_noise_trial trials[STAR_NOISE_MOST_TERMS];
    struct star_noise_indicator indicators[STAR_NOISE_MOST_INDICATORS];
    struct star_noise_indicator_trial indicator_trials[STAR_NOISE_MOST_INDICATORS];
    struct star_noise_series series[STAR_NOISE_MOST_TERMS];
    bool has_series; /* the likelihood is that of indicators, too */
    double lead_days, lead_days_err;
    double rotation_days, memory_days; /* NaN: not determined, and none */
    double *process_m_s; /* expectation of the process, [n_obs]; NULL: there is none */
};

struct star_result;

/* From the fit of the star. Returns an exit code, with a sentence on failure. */
int star_noise_collect(struct star_result *star);
void star_noise_free(struct star_noise *noise);

/* Whether there is nothing but jitters. */
bool star_noise_is_white(const struct star_noise *noise);

/* The parameter of a term; NULL where it has none. */
const struct star_noise_parameter *star_noise_find(const struct star_noise *noise, const char *term,
                                                   const char *name);

/* The instrument of a term behind its @; NULL: it is of all. */
const char *star_noise_instrument(const char *term);

/* Whether a parameter is the first of its term. */
bool star_noise_begins_term(const struct star_noise *noise, size_t i);

/* The residual of an observation less the process, and the rms of these. */
double star_noise_rest(const struct star_result *star, size_t k);
double star_noise_rms_after(const struct star_result *star);

#endif
