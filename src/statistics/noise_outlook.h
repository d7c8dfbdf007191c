/* Prediction of correlated noise after the data, from the final state of the recursion
 * (statistics/noise_process.h), with mean f and covariance S:
 *
 *   E g(t) = p' f,   var g(t) = k(0) - p' S p,   p = R(t - t_end)' u. */
#ifndef EQUANT_STATISTICS_NOISE_OUTLOOK_H
#define EQUANT_STATISTICS_NOISE_OUTLOOK_H

#include "statistics/noise_process.h"

/* p, as long as all blocks have states; the row's gap is that from the end of the data. */
SHARED_FUNCTION void noise_outlook_look(int n_blocks, const noise_block *blocks,
                                        const noise_row *row, double *p)
{
    for (int b = 0; b < n_blocks; b++) {
        const noise_block *block = &blocks[b];
        int m = noise_block_states(block->kind);
        double r[3][3], u[3], v[3];
        noise_block_propagator(block, row, r);
        noise_block_view(block, row, u, v);
        for (int j = 0; j < m; j++) {
            p[j] = 0.0;
            for (int i = 0; i < m; i++)
                p[j] += u[i] * r[i][j];
        }
        p += m;
    }
}

SHARED_FUNCTION double noise_outlook_mean(int n_states, const double *f, const double *p)
{
    double sum = 0.0;
    for (int i = 0; i < n_states; i++)
        sum += p[i] * f[i];
    return sum;
}

/* p' S q. */
SHARED_FUNCTION double noise_outlook_known(int n_states, const double *s, const double *p,
                                           const double *q)
{
    double known = 0.0;
    for (int i = 0; i < n_states; i++) {
        double seen = 0.0;
        for (int j = 0; j < n_states; j++)
            seen += s[i * n_states + j] * q[j];
        known += p[i] * seen;
    }
    return known;
}

#endif
