/* Derivatives of ln L under correlated noise, exact: the recursion of noise_process.h forwards,
 * with what each row had kept, then backwards. One pass back gives the derivatives with respect to
 * all values, all variances and all numbers of all blocks, at about three times the cost of ln L.
 *
 * Row by row, S and f being those after the gap, T = S + g g' / D and h = f + g z / D what the row
 * hands on; a bar is the derivative of  share_chi sum z^2 / D + share_log sum ln D:
 *
 *   g- = 2 T- g / D + h- z / D                z- = h-'g / D + 2 share_chi z / D
 *   D- = -g'T-g / D^2 - h-'g z / D^2 - share_chi z^2 / D^2 + share_log / D
 *   s- = -g- - D- u      u- = -D- s - z- f + S s-      S- = T- + (s- u' + u s-') / 2
 *   f- = h- - z- u       R- = 2 S- R T + f- h'         T- <- R' S- R,  h- <- R' f-
 */
#ifndef EQUANT_STATISTICS_NOISE_ADJOINT_H
#define EQUANT_STATISTICS_NOISE_ADJOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics/noise_process.h"

/* Rows in the order of time, which see the process itself. */
typedef struct noise_adjoint_rows {
    size_t n;
    const double *gap_days, *values, *variances;
    const int *night_place;
    const bool *begins_night;
    const int *owners; /* as of noise_row; NULL: 0 */
} noise_adjoint_rows;

/* What is kept of each row: S, then f, then g, then D and z. */
SHARED_FUNCTION size_t noise_adjoint_kept(size_t n_states)
{
    return n_states * n_states + 2 * n_states + 2;
}

/* Derivatives with respect to the numbers of one block. */
typedef struct noise_adjoint_block {
    double a, b, c, q;
} noise_adjoint_block;

SHARED_FUNCTION noise_row noise_adjoint_row(const noise_adjoint_rows *rows, size_t k)
{
    noise_row row = {rows->gap_days[k],
                     rows->values[k],
                     rows->variances[k],
                     1.0,
                     0.0,
                     rows->night_place[k],
                     rows->begins_night[k],
                     rows->owners ? rows->owners[k] : 0};
    return row;
}

/* The propagators of all blocks over the gap before a row. */
SHARED_FUNCTION void noise_adjoint_propagators(const noise_process *process, const noise_row *row,
                                               double r[NOISE_PROCESS_MOST_BLOCKS][3][3])
{
    for (int b = 0; b < process->n_blocks; b++)
        noise_block_propagator(&process->block[b], row, r[b]);
}

/* x <- R x, or R' x, for n vectors: entry i of vector j is at x[i * along + j * across]. */
SHARED_FUNCTION void noise_adjoint_turn(const noise_process *process,
                                        const double r[NOISE_PROCESS_MOST_BLOCKS][3][3],
                                        bool transposed, double *x, int along, int across, int n)
{
    for (int b = 0, first = 0; b < process->n_blocks; b++) {
        int m = noise_block_states(process->block[b].kind);
        for (int j = 0; j < n; j++) {
            double old[3], *own = x + first * along + j * across;
            for (int i = 0; i < m; i++)
                old[i] = own[i * along];
            for (int i = 0; i < m; i++) {
                double sum = 0.0;
                for (int l = 0; l < m; l++)
                    sum += (transposed ? r[b][l][i] : r[b][i][l]) * old[l];
                own[i * along] = sum;
            }
        }
        first += m;
    }
}

/* T and h that a row hands on. */
SHARED_FUNCTION void noise_adjoint_hand_on(int n, const double *kept, double *t, double *h)
{
    const double *s = kept, *f = kept + n * n, *g = f + n, d = g[n], z = g[n + 1];
    for (int i = 0; i < n; i++) {
        h[i] = f[i] + g[i] * z / d;
        for (int j = 0; j < n; j++)
            t[i * n + j] = s[i * n + j] + g[i] * g[j] / d;
    }
}

SHARED_FUNCTION double noise_adjoint_views(const noise_process *process, const noise_row *row,
                                           double *u, double *v)
{
    double variance = 0.0;
    for (int b = 0, first = 0; b < process->n_blocks; b++) {
        variance += noise_block_view(&process->block[b], row, u + first, v + first);
        first += noise_block_states(process->block[b].kind);
    }
    return variance;
}

/* Fills kept [n][noise_adjoint_kept]; false where there is no such covariance. */
SHARED_FUNCTION bool noise_adjoint_forward(const noise_process *process,
                                           const noise_adjoint_rows *rows, double *kept,
                                           double *chi_square, double *log_determinant)
{
    const int n = process->n_states;
    const size_t size = noise_adjoint_kept((size_t)n);
    double u[NOISE_PROCESS_MOST_STATES], v[NOISE_PROCESS_MOST_STATES];
    double r[NOISE_PROCESS_MOST_BLOCKS][3][3];
    *chi_square = *log_determinant = 0.0;
    for (size_t k = 0; k < rows->n; k++) {
        double *s = kept + k * size, *f = s + n * n, *g = f + n;
        const noise_row row = noise_adjoint_row(rows, k);
        for (int i = 0; i < n * n + n && k == 0; i++)
            s[i] = 0.0;
        if (k > 0) {
            noise_adjoint_hand_on(n, s - size, s, f);
            noise_adjoint_propagators(process, &row, r);
            noise_adjoint_turn(process, r, false, s, n, 1, n);
            noise_adjoint_turn(process, r, false, s, 1, n, n);
            noise_adjoint_turn(process, r, false, f, 1, 0, 1);
        }
        double d = row.variance + noise_adjoint_views(process, &row, u, v), z = row.value;
        for (int i = 0; i < n; i++) {
            double seen = 0.0;
            for (int j = 0; j < n; j++)
                seen += s[i * n + j] * u[j];
            g[i] = v[i] - seen;
            d -= u[i] * seen;
            z -= u[i] * f[i];
        }
        g[n] = d;
        g[n + 1] = z;
        if (!(d > 0.0) || !isfinite(d))
            return false;
        *chi_square += z * z / d;
        *log_determinant += log(d);
    }
    return isfinite(*chi_square) && isfinite(*log_determinant);
}

/* dS/dq of a damped block, S = e^(-c t) sin(w t) / w; by its series where q t^2 is small. */
SHARED_FUNCTION double noise_adjoint_sine_by_q(const noise_block *block, double t, double cosine,
                                               double sine)
{
    double x = block->q * t * t;
    if (fabs(x) > 0.1)
        return 0.5 * (t * cosine - sine) / block->q;
    double series =
        1.0 / 6.0 - x * (2.0 / 120.0 -
                         x * (3.0 / 5040.0 - x * (4.0 / 362880.0 - x * (5.0 / 39916800.0 -
                                                                        x * 6.0 / 6227020800.0))));
    return -t * t * t * exp(-block->c * t) * series;
}

/* What R- says of c and q. */
SHARED_FUNCTION void noise_adjoint_rates(const noise_block *block, double t, const double r[3][3],
                                         const double bar[3][3], noise_adjoint_block *out)
{
    if (block->kind == NOISE_BLOCK_EXPONENTIAL) {
        out->c -= t * r[0][0] * bar[0][0];
    } else if (block->kind == NOISE_BLOCK_DAMPED) {
        double cosine = r[0][0], sine = r[1][0];
        double cosine_bar = bar[0][0] + bar[1][1], sine_bar = bar[1][0] - block->q * bar[0][1];
        out->c -= t * (cosine * cosine_bar + sine * sine_bar);
        out->q += -sine * bar[0][1] - 0.5 * t * sine * cosine_bar +
                  noise_adjoint_sine_by_q(block, t, cosine, sine) * sine_bar;
    } else if (block->kind == NOISE_BLOCK_MATERN52) {
        double r0 = r[0][0], r1 = r[1][0], r2 = r[2][0];
        out->c += t * (-r0 * (bar[0][0] + bar[1][1] + bar[2][2]) +
                       (r0 - r1) * (bar[1][0] + bar[2][1]) + (r1 - r2) * bar[2][0]);
    }
}

/* What u- says of a and b; D- is that of the variance. */
SHARED_FUNCTION void noise_adjoint_amplitudes(const noise_block *block, const noise_row *row,
                                              const double *u_bar, double d_bar,
                                              noise_adjoint_block *out)
{
    double alpha = 1.0, beta = 0.0;
    noise_block_weigh(block, row->owner, &alpha, &beta);
    if (alpha == 0.0 || (block->kind == NOISE_BLOCK_NIGHT && row->instrument != block->instrument))
        return;
    out->a += d_bar + u_bar[0];
    if (block->kind == NOISE_BLOCK_DAMPED)
        out->b += u_bar[1];
    else if (block->kind == NOISE_BLOCK_MATERN52)
        out->a += u_bar[1] + 2.0 * u_bar[2] / 3.0;
}

/* Derivatives of share_chi chi-square + share_log ln |C|, after a forward pass that succeeded: of
 * values and variances [n] (NULL: not wanted) and of blocks. */
SHARED_FUNCTION void noise_adjoint_backward(const noise_process *process,
                                            const noise_adjoint_rows *rows, const double *kept,
                                            double share_chi, double share_log, double *by_value,
                                            double *by_variance,
                                            noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS])
{
    enum { MOST = NOISE_PROCESS_MOST_STATES };
    const int n = process->n_states;
    const size_t size = noise_adjoint_kept((size_t)n);
    double t_bar[MOST * MOST], h_bar[MOST], t[MOST * MOST], h[MOST], u[MOST], v[MOST], u_bar[MOST],
        s_bar[MOST], turned[MOST];
    double r[NOISE_PROCESS_MOST_BLOCKS][3][3];
    for (int i = 0; i < n; i++) {
        h_bar[i] = 0.0;
        for (int j = 0; j < n; j++)
            t_bar[i * n + j] = 0.0;
    }
    for (int b = 0; b < process->n_blocks; b++)
        by_block[b].a = by_block[b].b = by_block[b].c = by_block[b].q = 0.0;
    for (size_t k = rows->n; k-- > 0;) {
        const double *s = kept + k * size, *f = s + n * n, *g = f + n, d = g[n], z = g[n + 1];
        const noise_row row = noise_adjoint_row(rows, k);
        noise_adjoint_views(process, &row, u, v);
        double gain = 0.0, square = 0.0;
        for (int i = 0; i < n; i++) {
            turned[i] = 0.0;
            for (int j = 0; j < n; j++)
                turned[i] += t_bar[i * n + j] * g[j];
            gain += h_bar[i] * g[i];
            square += g[i] * turned[i];
        }
        double d_bar = (share_log - (square + gain * z + share_chi * z * z) / d) / d;
        double z_bar = (gain + 2.0 * share_chi * z) / d;
        for (int i = 0; i < n; i++) {
            s_bar[i] = -(2.0 * turned[i] + h_bar[i] * z) / d - d_bar * u[i];
            u_bar[i] = -d_bar * (v[i] - g[i]) - z_bar * f[i];
            h_bar[i] -= z_bar * u[i];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                u_bar[i] += s[i * n + j] * s_bar[j];
                t_bar[i * n + j] += 0.5 * (s_bar[i] * u[j] + u[i] * s_bar[j]);
            }
        if (by_value)
            by_value[k] = z_bar;
        if (by_variance)
            by_variance[k] = d_bar;
        for (int b = 0, first = 0; b < process->n_blocks; b++) {
            noise_adjoint_amplitudes(&process->block[b], &row, u_bar + first, d_bar, &by_block[b]);
            first += noise_block_states(process->block[b].kind);
        }
        if (k == 0)
            break;
        noise_adjoint_propagators(process, &row, r);
        noise_adjoint_hand_on(n, s - size, t, h);
        noise_adjoint_turn(process, r, false, t, n, 1, n); /* R T */
        for (int b = 0, first = 0; b < process->n_blocks; b++) {
            int m = noise_block_states(process->block[b].kind);
            double bar[3][3];
            for (int i = 0; i < m; i++)
                for (int l = 0; l < m; l++) {
                    double sum = 0.0;
                    for (int j = 0; j < n; j++)
                        sum += t_bar[(first + i) * n + j] * t[j * n + first + l];
                    bar[i][l] = 2.0 * sum + h_bar[first + i] * h[first + l];
                }
            noise_adjoint_rates(&process->block[b], row.days_since_last, r[b], bar, &by_block[b]);
            first += m;
        }
        noise_adjoint_turn(process, r, true, t_bar, n, 1, n);
        noise_adjoint_turn(process, r, true, t_bar, 1, n, n);
        noise_adjoint_turn(process, r, true, h_bar, 1, 0, 1);
    }
}

#endif
