/* The posterior density of a star in quadruple precision, as a function of points, with its
 * gradient by differences: written from include/equant.h and the pages on priors and noise, with
 * covariances as whole matrices and every prior read from its text. Shares no formula with src/. */
#ifndef ORACLE_QUAD_POSTERIOR_H
#define ORACLE_QUAD_POSTERIOR_H

#include <stdbool.h>
#include <stddef.h>

enum { QUAD_POSTERIOR_MOST_COLUMNS = 40, QUAD_POSTERIOR_MOST_TERMS = 3 };

typedef enum quad_noise_kind {
    QUAD_NOISE_NONE,
    QUAD_NOISE_NIGHT,
    QUAD_NOISE_EXPONENTIAL,
    QUAD_NOISE_MATERN32,
    QUAD_NOISE_SHO,
    QUAD_NOISE_MEP,
    QUAD_NOISE_QP
} quad_noise_kind;

/* Observations, model and priors; arrays stay the caller's. */
typedef struct quad_posterior {
    size_t n_obs;
    const double *time_days, *velocity_m_s, *uncertainty_m_s;
    const int *instrument;
    size_t n_instruments, n_planets;
    double reference_time_days;
    int trend_order;
    bool is_smooth, is_marginal;
    quad_noise_kind noise[QUAD_POSTERIOR_MOST_TERMS]; /* in the order of their columns         */
    const char *prior[QUAD_POSTERIOR_MOST_COLUMNS]; /* of all columns, offsets always among them */
} quad_posterior;

/* ln of prior and of likelihood at a point, and their gradients, which may be NULL. */
typedef struct quad_posterior_result {
    double log_prior, log_likelihood;
    double *log_prior_gradient, *log_likelihood_gradient;
} quad_posterior_result;

/* A point inside the prior, of n dimensions; false where memory is short. */
bool quad_posterior_evaluate(const quad_posterior *star, size_t n, const double *point,
                             quad_posterior_result *result);

#endif
