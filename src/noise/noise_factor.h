/* A process at fixed parameters over the rows of a star, factored once: C = L L'. Any number of
 * columns is then whitened, L^-1 x, by walking over the rows with a small state for each:
 *
 *   f <- R (f + w z),   z = x - u' f,   L^-1 x = z / sqrt D.
 *
 * Every likelihood of correlated noise outside the backends is asked here: ln L, its chi-square,
 * whitened columns, C^-1 x and draws. Derivatives are in noise/noise_slopes.h. */
#ifndef EQUANT_NOISE_NOISE_FACTOR_H
#define EQUANT_NOISE_NOISE_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"
#include "noise/noise_covariance.h"

/* Rows in the order of their times. */
typedef struct noise_factor_rows {
    size_t n;
    const double *time_days;
    const double *alpha, *beta; /* of G and G'; NULL: 1, and 0 */
    const int *instruments;     /* NULL: one */
    const bool *begins_night;   /* of its instrument */
    const int *owners;          /* as of noise_row; NULL: 0 */
    bool is_uniform;            /* alpha and beta are one number each, of all rows */
} noise_factor_rows;

typedef struct noise_factor {
    size_t n_rows, n_states, n_blocks;
    int block_states[NOISE_PROCESS_MOST_BLOCKS];
    size_t propagator_size; /* of one row: the blocks' m x m, one behind the other         */
    double *propagators;    /* [n_rows][propagator_size], row by row of each block         */
    double *u, *w;          /* [n_rows][n_states]                                          */
    double *variance;       /* [n_rows]: D                                                 */
    double *marginal;       /* [n_rows]: the diagonal of C                                 */
    double *root_weight;    /* [n_rows]: 1 / sqrt D                                        */
    double log_determinant; /* ln |C|                                                      */
    size_t row_room, state_room;
    noise_process process; /* that it was made of last, and over which rows */
    const double *time_days;
    const bool *begins_night;
    const int *instruments;
    bool is_whole;       /* L as a matrix, which some processes need: it has no states            */
    double *lower;       /* [n_rows][n_rows], where there is room for one; NULL: there is none    */
    noise_place *places; /* [n_rows], beside it */
} noise_factor;

/* Room for rows and states, and with is_whole for L as a matrix, which processes with a whole
 * covariance need: of NOISE_FACTOR_MOST_WHOLE rows at the most. Zero-initialised factors may be
 * freed; one that fails is empty. */
enum { NOISE_FACTOR_MOST_WHOLE = 3000 };
equant_status noise_factor_create(size_t n_rows, size_t most_states, bool is_whole,
                                  noise_factor *made);
void noise_factor_free(noise_factor *factor);

equant_status noise_factor_check_whole(size_t n_rows);

/* Factors a process over rows whose white noise has `variances`, sigma^2 + jitter^2. The process
 * has no more states than there is room for, and is not whole where there is no matrix. False where
 * there is no such covariance: D <= 0. How states are carried over the gaps depends on rates alone:
 * it is kept while those and the arrays of the rows stay the same, whose times and nights must not
 * change in between. */
bool noise_factor_make(noise_factor *factor, const noise_process *process,
                       const noise_factor_rows *rows, const double *variances);

/* L^-1 of n_columns columns, [n_rows][n_columns] row by row, in place. `state` has room for
 * n_columns (n_states + 1) numbers. */
void noise_factor_whiten(const noise_factor *factor, size_t n_columns, double *columns,
                         double *state);

/* The other way: L times n_columns columns, in place. Of white numbers it makes draws. */
void noise_factor_colour(const noise_factor *factor, size_t n_columns, double *columns,
                         double *state);

/* C^-1 of one column, [n_rows], in place; `state` has room for 2 n_states numbers. */
void noise_factor_solve(const noise_factor *factor, double *column, double *state);

/* y' C^-1 y, the chi-square of values, which are whitened in place; `state` as for one column. */
double noise_factor_square(const noise_factor *factor, double *values, double *state);

/* ln L of values of that chi-square: -INFINITY where it is no number. */
double noise_factor_log_likelihood(const noise_factor *factor, double chi_square);

#endif
