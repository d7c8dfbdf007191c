/* A factor C = L L' as a whole matrix, for covariances that no small state carries: N^3 / 6
 * products to make it and N^2 / 2 for each column. */
#ifndef EQUANT_NOISE_NOISE_WHOLE_H
#define EQUANT_NOISE_NOISE_WHOLE_H

#include "noise/noise_factor.h"

/* C of the rows, the lower half of [n][n]; `places` has room for n. */
void noise_whole_fill(const noise_process *process, const noise_factor_rows *rows,
                      const double *variances, noise_place *places, double *matrix);

/* Fills a factor that has room for a matrix; false where there is no such covariance. */
bool noise_whole_decompose(noise_factor *factor, const noise_process *process,
                           const noise_factor_rows *rows, const double *variances);

/* As their namesakes of noise_factor.h; the last is L'^-1 of one column. */
void noise_whole_whiten(const noise_factor *factor, size_t n_columns, double *columns);
void noise_whole_colour(const noise_factor *factor, size_t n_columns, double *columns);
void noise_whole_solve_back(const noise_factor *factor, double *column);

/* Of ln L of values y, from z = L^-1 y, which becomes x = C^-1 y: the derivative by an element of C
 * is (x x' - C^-1) / 2. Fills the lower half of `slopes`, [n][n]; `inverse` has room for as much.
 */
void noise_whole_differentiate(const noise_factor *factor, double *solved, double *inverse,
                               double *slopes);

/* From the elements of C to the numbers of the blocks of the process. */
void noise_whole_slopes_of_blocks(const noise_factor *factor, const noise_process *process,
                                  const double *slopes,
                                  noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS]);

#endif
