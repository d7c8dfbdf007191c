/* What both references are given: observations and the shape of a parameter set,
 * as plain arrays, so that the references share no code with the library. */
#ifndef EQUANT_APP_BENCH_REFERENCE_OBSERVATIONS_H
#define EQUANT_APP_BENCH_REFERENCE_OBSERVATIONS_H

#include <stddef.h>

/* Columns of a parameter set: period_days, k_m_s, eccentricity, omega_rad, m0_rad
 * for each planet, then one offset in m/s. */
enum { REFERENCE_ELEMENTS = 5 };

typedef struct reference_observations {
    size_t n_obs;
    const double *time_days;
    const double *velocity_m_s;
    const double *uncertainty_m_s;
    double reference_time_days;
    double jitter_m_s;
} reference_observations;

#endif
