/* The baseline of the benchmark: the algorithm of Ford (2008) as one would write
 * it by hand with the C library's mathematics, in double, on one thread. */
#ifndef EQUANT_APP_BENCH_REFERENCE_LIBM_H
#define EQUANT_APP_BENCH_REFERENCE_LIBM_H

#include "bench/reference_observations.h"

/* When the iteration stops. The paper: 1e-6 and 10. */
typedef struct reference_libm_limits {
    double tolerance; /* largest |E - e sin E - M| that is accepted */
    int max_iterations;
} reference_libm_limits;

/* Solves M = E - e sin E for n pairs, M in [0, 2 pi); writes E, sin E, cos E. */
void reference_libm_kepler(size_t n, const double *mean_anomaly_rad, const double *eccentricity,
                           reference_libm_limits limits, double *eccentric_anomaly_rad,
                           double *sine, double *cosine);

/* Predicted velocities [n_obs] of one parameter set. */
void reference_libm_velocities(const reference_observations *observations, size_t n_planets,
                               const double *parameters, reference_libm_limits limits,
                               double *velocities_m_s);

/* Chi-square of n_sets parameter sets, row by row; `velocities_m_s` [n_obs] is
 * working memory of the caller. */
void reference_libm_chi_square(const reference_observations *observations, size_t n_planets,
                               size_t n_sets, const double *parameters,
                               reference_libm_limits limits, double *velocities_m_s,
                               double *chi_square);

#endif
