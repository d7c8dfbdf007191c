/* Derivatives of ln L under correlated noise: by the values, by the variances of their white noise,
 * and by the numbers of the blocks of the process. Backwards through the recursion where states
 * carry the process (statistics/noise_adjoint.h); else by matrices, with x = C^-1 y,
 *
 *   d ln L = -x' dy + 1/2 sum_kl (x_k x_l - C^-1_kl) dC_kl
 */
#ifndef EQUANT_NOISE_NOISE_SLOPES_H
#define EQUANT_NOISE_NOISE_SLOPES_H

#include "noise/noise_factor.h"

typedef struct noise_slopes {
    double *solved;      /* [n_rows]: C^-1 y, which is minus the derivative by y */
    double *by_variance; /* [n_rows] */
    noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS];
    double *work, *matrix; /* states of all rows and their gaps, or C^-1 and the derivative by C */
    int *places;           /* [n_rows] */
    bool is_whole;
} noise_slopes;

/* Room for rows and the states of a process. Rows that measure a derivative, and whole covariances,
 * need a factor with a matrix. */
bool noise_slopes_need_whole(const noise_process *process, const noise_factor_rows *rows);
equant_status noise_slopes_create(size_t n_rows, size_t n_states, bool is_whole,
                                  noise_slopes *made);
void noise_slopes_free(noise_slopes *slopes);

/* ln L of values, and its derivatives; -INFINITY where there is no such covariance, and then they
 * are undefined. The factor is used where slopes are whole, and has a matrix; else it may be NULL.
 */
double noise_slopes_find(const noise_process *process, const noise_factor_rows *rows,
                         const double *values, const double *variances, noise_factor *factor,
                         noise_slopes *slopes);

#endif
