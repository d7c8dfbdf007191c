/* Orbits on the sky in quadruple precision: abscissae, and what a companion of given frequency,
 * eccentricity and M0 takes from chi-square. Shares no code with src/. */
#ifndef ORACLE_QUAD_SKY_H
#define ORACLE_QUAD_SKY_H

#include <stddef.h>

/* cos E - e and sqrt(1 - e^2) sin E at a mean anomaly. */
void quad_sky_place(__float128 mean_anomaly, __float128 eccentricity, __float128 *x, __float128 *y);

/* A, B, F, G of a0, inclination, omega, Omega (radians). */
void quad_sky_constants(const __float128 elements[4], __float128 constants[4]);

/* Abscissae along directions, the base in them as plain columns [n_base][n_rows]. */
typedef struct quad_sky_source {
    size_t n_rows, n_base;
    const double *time_days, *abscissa_mas, *uncertainty_mas, *angle_rad, *base;
} quad_sky_source;

/* By how much chi-square falls when four amplitudes join the base; NaN where the columns are not
 * independent or memory is short. constants, A, B, F, G of the best fit, may be NULL. */
double quad_sky_gain(const quad_sky_source *source, double frequency_per_day, double eccentricity,
                     double m0_rad, double constants[4]);

#endif
