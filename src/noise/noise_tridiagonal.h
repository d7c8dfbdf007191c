/* A covariance at fixed parameters of which parameter sets change nothing but one jitter s: rows of
 * one instrument. It is tridiagonalised once, by reflections of Householder,
 *
 *   K + diag(sigma^2) = Q T Q',   so that   C = K + diag(sigma^2 + s^2) = Q (T + s^2) Q'
 *
 * for every jitter, and with z = L^-1 Q' r, L D L' = T + s^2 (Golub & Van Loan 2013, 8.3
 * and 4.3.6),
 *
 *   ln L = -1/2 sum_j [ z_j^2 / D_j + ln D_j + ln(2 pi) ]
 *
 * takes 2 N^2 products for each set of residuals, where a Cholesky factor for each jitter takes
 * N^3 / 6. Numbers are good to rounding of the largest eigenvalue: ln L to about 1e-9 where the
 * variance of the process is ten thousand times that of the best observation. */
#ifndef EQUANT_NOISE_NOISE_TRIDIAGONAL_H
#define EQUANT_NOISE_NOISE_TRIDIAGONAL_H

#include "noise/noise_factor.h"

typedef struct noise_tridiagonal noise_tridiagonal;

/* Variances are sigma^2, [n]. Rows and variances are not needed afterwards. */
equant_status noise_tridiagonal_create(const noise_process *process, const noise_factor_rows *rows,
                                       const double *variances, noise_tridiagonal **made);

void noise_tridiagonal_free(noise_tridiagonal *noise);

/* Sets that are taken together, so that reflections are read once for all of them. */
enum { NOISE_TRIDIAGONAL_TOGETHER = 16 };

/* ln L of up to NOISE_TRIDIAGONAL_TOGETHER sets from their residuals, [n_sets][n], and jitters.
 * With is_marginal a constant offset is integrated out under a prior that is flat and wide, of
 * density 1: with F = 1' C^-1 1 and b = 1' C^-1 r it is ln L + b^2 / (2 F) - 1/2 ln(F / (2 pi));
 * residuals may then lack any constant. `work` has room for [n][n_sets]. The result of a set
 * depends on itself alone. */
void noise_tridiagonal_log_likelihood(const noise_tridiagonal *noise, bool is_marginal,
                                      size_t n_sets, const double *residuals,
                                      const double *jitters_m_s, double *work,
                                      double *log_likelihood);

/* The same for one set, with its derivatives: by the residuals, negated, into `solved`, [n], which
 * is C^-1 r beside what a free offset takes of it; by s^2 into `by_variance`. `work` has room for
 * [NOISE_TRIDIAGONAL_SLOPES][n]. */
enum { NOISE_TRIDIAGONAL_SLOPES = 3 };
double noise_tridiagonal_differentiate(const noise_tridiagonal *noise, bool is_marginal,
                                       const double *residuals, double jitter_m_s, double *work,
                                       double *solved, double *by_variance);

#endif
