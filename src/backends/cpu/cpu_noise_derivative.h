/* Derivatives of one parameter set under correlated noise. Columns of the Jacobian are whitened by
 * the factor of the covariance, so that least squares is what it is without noise; jitters and
 * parameters of noise have their derivatives from a pass backwards through the recursion. In double
 * only, in the order of time, and without lanes: all machines share it.
 *
 * Columns: those of orbits, then of linear terms, given or not, then the residuals. */
#ifndef EQUANT_BACKENDS_CPU_CPU_NOISE_DERIVATIVE_H
#define EQUANT_BACKENDS_CPU_CPU_NOISE_DERIVATIVE_H

#include "backends/cpu/kernels.h"

/* The columns of orbits and memory->noise.values, the residuals of what is given, are there; `out`
 * points at the rows of the set. False: there is no such covariance, and nothing is written. */
bool noise_derivative_set(const cpu_problem *problem, const cpu_derivative_scratch *memory,
                          const double *parameters, const equant_derivatives *out);

#endif
