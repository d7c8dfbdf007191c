/* The algorithm of Ford (2008) in single precision, as the paper describes it, its misprints
 * mended: the errors that ours are compared with. */
#ifndef EQUANT_APP_BENCH_REFERENCE_SINGLE_H
#define EQUANT_APP_BENCH_REFERENCE_SINGLE_H

#include <stdbool.h>

#include "bench/reference_observations.h"

/* Chi-square of n_sets parameter sets, row by row. With phase_in_double, the paper's mixed
 * precision: times, periods and the phase are double, and everything after it single. */
void reference_single_chi_square(const reference_observations *observations, size_t n_planets,
                                 size_t n_sets, const double *parameters, bool phase_in_double,
                                 int n_threads, double *chi_square);

#endif
