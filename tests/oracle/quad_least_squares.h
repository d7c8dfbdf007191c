/* Weighted least squares in quadruple precision, for the linear parameters. */
#ifndef ORACLE_QUAD_LEAST_SQUARES_H
#define ORACLE_QUAD_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

enum { QUAD_LEAST_SQUARES_MAX = 16 };

/* design[n_columns][n_rows], weights and targets [n_rows]. Writes the solution
 * [n_columns], the matrix that maps targets to it (inverse[n_columns][n_rows]),
 * and the condition of the normal equations scaled to a unit diagonal. False
 * where the columns are not independent; then nothing is written. */
bool quad_least_squares_solve(size_t n_rows, size_t n_columns, const __float128 *design,
                              const __float128 *weights, const __float128 *targets,
                              __float128 *solution, double *inverse, double *condition);

#endif
