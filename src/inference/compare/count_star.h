/* The data of a comparison: observations, and the linear columns of the model besides planets. Each
 * of these columns is multiplied by the standard deviation of the normal prior of its factor, so
 * that all factors are standard normal: offsets about the mean velocity of their instrument, trend
 * and slopes of indicators about zero, with wide priors. */
#ifndef EQUANT_INFERENCE_COMPARE_COUNT_STAR_H
#define EQUANT_INFERENCE_COMPARE_COUNT_STAR_H

#include <stdbool.h>

#include "equant.h"
#include "model/noise_kind.h"
#include "statistics/prior_density.h"

typedef struct count_star {
    size_t n_obs, n_instruments;
    double epoch_days; /* the mean of the times, by weight: phases and periods are least
                          correlated there */
    double span_days;
    double *time_days; /* from the epoch */
    double *velocity;  /* less the mean of the instrument, m/s */
    double *variance;  /* of the uncertainties */
    int *instrument;
    size_t n_base;
    double *base;     /* [n_base][n_obs]: offsets, trend, indicators */
    double range_m_s; /* from the lowest velocity to the highest */
    double width_m_s; /* standard deviation of offsets, trend and slopes */
    bool *begins_night;
    int *night_place, n_nights;
    struct priors
        *noise_priors; /* of a model without planets: the last columns are jitters and noise */
    noise_kinds noise;
    size_t n_noise; /* jitters and parameters of noise */
    bool with_jitter;
} count_star;

typedef struct count_star_request {
    const equant_dataset *dataset;
    const double
        *uncertainties_m_s; /* [n_obs], in the place of those of the data set; NULL: none */
    int trend_order;
    const char *noise; /* terms in words that a fit takes; NULL: white */
    bool no_jitter;
    const char *prior_jitter; /* in words of prior_text.h; NULL: the usual one */
    size_t n_columns;         /* that velocities follow besides, e.g. indicators */
    const double *columns;    /* [n_columns][n_obs], of about unit size */
} count_star_request;

/* The data set must stay. Free it in any case. */
/* Priors of its noise, jitters included. */
equant_status count_star_priors(const count_star_request *request, struct priors **made);

equant_status count_star_create(const count_star_request *request, count_star *made);
void count_star_free(count_star *star);

/* The density of a jitter or of a parameter of noise; in turns it refers to the parameter before
 * it, the period of the term. Jitters that are not fitted are fixed at zero. */
prior_density count_star_noise_prior(const count_star *star, size_t index);

#endif
