/* Noise of a star that turns: a Gaussian process whose covariance is quasi-periodic,
 *
 *   C_jk = amplitude^2 exp(-1/2 [ sin^2(pi dt / period) / width^2 + dt^2 / decay^2 ])
 *          + delta_jk (sigma_j^2 + s^2),         dt = t_j - t_k,
 *
 * with fixed hyperparameters and one jitter s. The kernel and the uncertainties are decomposed
 * once, kernel + diag(sigma^2) = Q diag(l) Q'; then C = Q diag(l + s^2) Q' for every jitter, and
 *
 *   ln L = -1/2 sum_j [ z_j^2 / (l_j + s^2) + ln(l_j + s^2) + ln(2 pi) ],    z = Q' residuals,
 *
 * costs n^2 for each set of residuals. Eigenvalues are known to rounding of the largest of them:
 * ln L is good to about 1e-9 where the kernel's variance is ten thousand times that of the best
 * observation, and worse in proportion beyond. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_CORRELATED_NOISE_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_CORRELATED_NOISE_H

#include <stddef.h>

#include "equant.h"

typedef struct correlated_noise correlated_noise;

typedef struct correlated_noise_covariance {
    double amplitude_m_s; /* 0: white noise                                   */
    double period_days;   /* of rotation                                      */
    double width;         /* of a feature, in turns times pi; small is spiky  */
    double decay_days;    /* life of a feature                                */
} correlated_noise_covariance;

/* That of a caller, who may be older than its last members. */
equant_status correlated_noise_covariance_take(const equant_quasi_periodic *quasi_periodic,
                                               correlated_noise_covariance *made);

/* The data set is not needed afterwards. A library built without LAPACK answers
 * EQUANT_ERROR_UNAVAILABLE. */
equant_status correlated_noise_create(const correlated_noise_covariance *wanted,
                                      const equant_dataset *dataset, correlated_noise **made);
void correlated_noise_free(correlated_noise *noise);

/* Takes residuals [n_sets][n_obs] to the axes of the decomposition, z = Q' residuals; the two
 * arrays must not overlap. A set's result depends on itself alone. */
void correlated_noise_rotate(const correlated_noise *noise, size_t n_sets, const double *residuals,
                             double *rotated);

/* ln L of one set of rotated residuals. */
double correlated_noise_log_likelihood(const correlated_noise *noise, const double *rotated,
                                       double jitter_m_s);

/* The same with a constant offset integrated out under a prior that is flat and wide, of
 * density 1: with F = 1' C^-1 1 and b = 1' C^-1 r it is ln L + b^2 / (2 F) - 1/2 ln(F / (2 pi)).
 * Residuals may lack any constant. */
double correlated_noise_log_marginal(const correlated_noise *noise, const double *rotated,
                                     double jitter_m_s);

#endif
