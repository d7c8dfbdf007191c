/* The yardstick of the benchmark's error columns: chi-square in long double, by a
 * method that shares nothing with the library or with the baseline. */
#ifndef EQUANT_APP_BENCH_REFERENCE_QUAD_H
#define EQUANT_APP_BENCH_REFERENCE_QUAD_H

#include "bench/reference_observations.h"

enum { REFERENCE_QUAD_MAX_PLANETS = 16 };

/* Chi-square of n_sets parameter sets, row by row, rounded to double at the very
 * end. n_planets is at most REFERENCE_QUAD_MAX_PLANETS; systems are spread over n_threads threads.
 */
void reference_quad_chi_square(const reference_observations *observations, size_t n_planets,
                               size_t n_sets, const double *parameters, int n_threads,
                               double *chi_square);

#endif
