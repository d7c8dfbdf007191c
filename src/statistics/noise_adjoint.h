/* Derivatives of ln L under correlated noise, exact: the recursion of noise_process.h forwards,
 * with what each row had kept, then backwards. One pass back gives the derivatives with respect to
 * all values, all variances and all numbers of all blocks, at about three times the cost of ln L.
 *
 * Row by row, S and f being those after the gap, g = D w, T = S + D w w' and h = f + w z what the
 * row hands on; a bar is the derivative of  share_chi sum z^2 / D + share_log sum ln D:
 *
 *   g- = 2 T- w + h- z / D                    z- = h-'w + 2 share_chi z / D
 *   D- = -w'T-w - h-'w z / D - share_chi z^2 / D^2 + share_log / D
 *   s- = -g- - D- u      u- = -D- s - z- f + S s-      S- = T- + (s- u' + u s-') / 2
 *   f- = h- - z- u       R- = 2 S- R T + f- h'         T- <- R' S- R,  h- <- R' f-
 */
#ifndef EQUANT_STATISTICS_NOISE_ADJOINT_H
#define EQUANT_STATISTICS_NOISE_ADJOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "statistics/noise_process.h"

/* Rows in the order of time, which see the process itself. */
typedef struct noise_adjoint_rows {
    size_t n;
    const double *gap_days, *values, *variances;
    const int *night_place;
    const bool *begins_night;
    const int *owners; /* as of noise_row; NULL: 0 */
} noise_adjoint_rows;

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

/* Fills kept [n][noise_state_size] with the states of all rows; false where there is no such
 * covariance. */
SHARED_FUNCTION bool noise_adjoint_forward(const noise_process *process,
                                           const noise_adjoint_rows *rows, double *kept,
                                           double *chi_square, double *log_determinant)
{
    const size_t n = (size_t)process->n_states, size = noise_state_size(n);
    *chi_square = *log_determinant = 0.0;
    for (size_t k = 0; k < rows->n; k++) {
        double *state = kept + k * size;
        const noise_row row = noise_adjoint_row(rows, k);
        if (k == 0)
            noise_state_begin(process, state);
        else
            memcpy(state, state - size, size * sizeof *state);
        if (!noise_state_take(process, &row, state))
            return false;
        double d = state[size - 2], z = state[size - 1];
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

/* T and h that a row hands on. */
SHARED_FUNCTION void noise_adjoint_hand_on(size_t n, const double *state, double *t, double *h)
{
    const double *f = state + n * n, *w = f + n, d = w[n], z = w[n + 1];
    for (size_t i = 0; i < n * n; i++)
        t[i] = state[i];
    noise_learn(n, n, d, w, t);
    for (size_t i = 0; i < n; i++)
        h[i] = f[i] + w[i] * z;
}

/* What R- = 2 S- R T + f- h' says of the rates of all blocks; `turned` is R T. */
SHARED_FUNCTION void noise_adjoint_gaps(const noise_process *process, double days,
                                        const noise_propagator *over, const double *s_bar,
                                        const double *turned, const double *f_bar, const double *h,
                                        noise_adjoint_block *by_block)
{
    const size_t n = (size_t)process->n_states;
    const double *r = over->r;
    for (size_t b = 0, first = 0; b < over->n_blocks; b++) {
        size_t m = (size_t)over->block_states[b];
        double bar[3][3], own[3][3];
        for (size_t i = 0; i < m; i++)
            for (size_t l = 0; l < m; l++) {
                double sum = 0.0;
                for (size_t j = 0; j < n; j++)
                    sum += s_bar[(first + i) * n + j] * turned[j * n + first + l];
                bar[i][l] = 2.0 * sum + f_bar[first + i] * h[first + l];
                own[i][l] = r[i * m + l];
            }
        noise_adjoint_rates(&process->block[b], days, own, bar, &by_block[b]);
        first += m;
        r += m * m;
    }
}

SHARED_FUNCTION void noise_adjoint_transpose(noise_propagator *over)
{
    double *r = over->r;
    for (size_t b = 0; b < over->n_blocks; b++) {
        size_t m = (size_t)over->block_states[b];
        noise_transpose(m, m, r);
        r += m * m;
    }
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
    const size_t n = (size_t)process->n_states, size = noise_state_size(n);
    double t_bar[MOST * MOST], h_bar[MOST], t[MOST * MOST], h[MOST], u[MOST], v[MOST], u_bar[MOST],
        s_bar[MOST], turned[MOST];
    noise_propagator over;
    for (size_t i = 0; i < n * n; i++)
        t_bar[i] = 0.0;
    for (size_t i = 0; i < n; i++)
        h_bar[i] = 0.0;
    for (int b = 0; b < process->n_blocks; b++)
        by_block[b].a = by_block[b].b = by_block[b].c = by_block[b].q = 0.0;
    for (size_t k = rows->n; k-- > 0;) {
        const double *s = kept + k * size, *f = s + n * n, *w = f + n, d = w[n], z = w[n + 1];
        const noise_row row = noise_adjoint_row(rows, k);
        noise_process_view(process, &row, u, v);
        double gain = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            turned[i] = 0.0;
            for (size_t j = 0; j < n; j++)
                turned[i] += t_bar[i * n + j] * w[j];
            gain += h_bar[i] * w[i];
            square += w[i] * turned[i];
        }
        double d_bar = (share_log - gain * z - share_chi * z * z / d) / d - square;
        double z_bar = gain + 2.0 * share_chi * z / d;
        for (size_t i = 0; i < n; i++) {
            s_bar[i] = -2.0 * turned[i] - h_bar[i] * z / d - d_bar * u[i];
            u_bar[i] = -d_bar * (v[i] - d * w[i]) - z_bar * f[i];
            h_bar[i] -= z_bar * u[i];
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                u_bar[i] += s[i * n + j] * s_bar[j];
                t_bar[i * n + j] += 0.5 * (s_bar[i] * u[j] + u[i] * s_bar[j]);
            }
        if (by_value)
            by_value[k] = z_bar;
        if (by_variance)
            by_variance[k] = d_bar;
        for (size_t b = 0, first = 0; b < (size_t)process->n_blocks; b++) {
            noise_adjoint_amplitudes(&process->block[b], &row, u_bar + first, d_bar, &by_block[b]);
            first += (size_t)noise_block_states(process->block[b].kind);
        }
        if (k == 0)
            break;
        noise_propagator_make(process, &row, &over);
        noise_adjoint_hand_on(n, s - size, t, h);
        noise_propagate(over.n_blocks, over.block_states, over.r, n, t); /* R T */
        noise_adjoint_gaps(process, row.days_since_last, &over, t_bar, t, h_bar, h, by_block);
        noise_adjoint_transpose(&over);
        noise_propagate_both(over.n_blocks, over.block_states, over.r, n, n, t_bar);
        noise_propagate(over.n_blocks, over.block_states, over.r, 1, h_bar);
    }
}

#endif
