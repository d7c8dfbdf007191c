/* Symmetric positive semidefinite systems of a few dozen unknowns, row by row in one array. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_SMALL_MATRIX_H
#define EQUANT_INFERENCE_LIKELIHOOD_SMALL_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/* Sums of the products of n columns, given row by row, [n_rows][n]: the lower triangle of
 * products [n][stride]. */
void small_matrix_products(size_t n_rows, size_t n, const double *rows, size_t stride,
                           double *products);

/* Replaces the lower triangle of a by its Cholesky factor. An unknown that the others
 * determine (its pivot is lost to rounding) or that nothing measures is dropped: its row
 * becomes zero and every solution has a zero there. Returns the number of unknowns kept. */
size_t small_matrix_factor(size_t n, double *a);

/* The same for what an elimination has left: whether a pivot is lost is weighed against the
 * diagonals `whole`, [n], that the matrix had before. */
size_t small_matrix_factor_against(size_t n, const double *whole, double *a);

/* Solves with the factor; b is replaced by the solution. */
void small_matrix_solve(size_t n, const double *factor, double *b);

/* The inverse of a, from its factor. Dropped unknowns get NaN in their row and column. */
void small_matrix_invert(size_t n, const double *factor, double *inverse);

#endif
