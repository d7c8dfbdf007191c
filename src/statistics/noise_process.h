/* Correlated noise as a state-space model: the likelihood of a Gaussian process by a Kalman-like
 * recursion over the observations, in N J^2 operations instead of N^3 (celerite, Foreman-Mackey et
 * al. 2017; S+LEAF, Delisle et al. 2020). Only time differences enter sines and exponentials, so
 * that large times lose no digits.
 *
 * A covariance k(tau) = U0' R(tau) V0 with R(tau) = exp(A tau) and V0 = (1, 0, ...) is a sum of
 * blocks:
 *
 *   damped   e^(-c tau) (a C + b S), C = cos(w tau), S = sin(w tau) / w, q = w^2
 *            U0 = (a, b),  A = (-c -q; 1 -c)
 *            q > 0 is underdamped, q = 0 critical (C = 1, S = tau), q < 0 overdamped (cosh, sinh):
 *            one formula for an oscillator of any quality and for Matern 3/2 (q = 0, b = a c)
 *   exponential  a e^(-c tau), by one state
 *   matern52 a (1 + x + x^2 / 3) e^(-x), x = c tau
 *            U0 = a (1, 1, 2/3), R = e^(-x) (1 0 0; x 1 0; x^2/2 x 1)
 *   night    a while the night of an instrument lasts, nothing from one night to the next
 *   quasi_periodic  a exp(-(q^2 sin^2(b tau) + c^2 tau^2) / 2), which has no finite state: only
 *            dense matrices have it (noise/noise_covariance.h)
 *
 * A row measures alpha G + beta G' of the process G: velocities and indicators of one star spot
 * share G. With u = alpha U0 + beta A' U0 and v = alpha V0 - beta A V0 a row does
 *
 *   S <- R (S + D w w') R',   f <- R (f + w z)               (D, w, z of the row before)
 *   D = alpha^2 k(0) - beta^2 k''(0) + variance - u' S u,  w = (v - S u) / D,  z = y - u' f
 *   ln L <- ln L - (z^2 / D + ln D + ln 2 pi) / 2
 */
#ifndef EQUANT_STATISTICS_NOISE_PROCESS_H
#define EQUANT_STATISTICS_NOISE_PROCESS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/shared_function.h"

/* Sums of terms are taken up to NOISE_PROCESS_MOST_PARTS blocks: eight terms of so many have no
 * more states than there is room for, whichever they are. */
enum {
    NOISE_PROCESS_MOST_BLOCKS = 32,
    NOISE_PROCESS_MOST_PARTS = 30,
    NOISE_PROCESS_MOST_STATES = 64
};

typedef enum noise_block_kind {
    NOISE_BLOCK_DAMPED = 0,
    NOISE_BLOCK_MATERN52 = 1,
    NOISE_BLOCK_EXPONENTIAL = 2,
    NOISE_BLOCK_NIGHT = 3,
    NOISE_BLOCK_QUASI_PERIODIC = 4
} noise_block_kind;

/* Which rows see a block: all of them, by their alpha and beta; those of velocities, as they are;
 * or, from 1, those of one instrument, as they are. */
enum { NOISE_OWNER_ALL = 0, NOISE_OWNER_VELOCITIES = -1 };

typedef struct noise_block {
    noise_block_kind kind;
    int instrument; /* of a night */
    int owner;
    double a, b, c, q;
} noise_block;

typedef struct noise_process {
    int n_blocks, n_states;
    noise_block block[NOISE_PROCESS_MOST_BLOCKS];
} noise_process;

/* Whether two processes have the same blocks and rates: what they remember is then carried over
 * gaps in the same way. */
SHARED_FUNCTION bool noise_process_same_rates(const noise_process *one, const noise_process *other)
{
    if (one->n_blocks != other->n_blocks)
        return false;
    for (int i = 0; i < one->n_blocks; i++) {
        const noise_block *a = &one->block[i], *b = &other->block[i];
        if (a->kind != b->kind || a->instrument != b->instrument || a->owner != b->owner ||
            a->c != b->c || a->q != b->q)
            return false;
    }
    return true;
}

/* Whether what they remember is also as large, where they have the same blocks. */
SHARED_FUNCTION bool noise_process_same_sizes(const noise_process *one, const noise_process *other)
{
    for (int i = 0; i < one->n_blocks; i++)
        if (one->block[i].a != other->block[i].a || one->block[i].b != other->block[i].b)
            return false;
    return true;
}

/* One observation. */
typedef struct noise_row {
    double days_since_last; /* 0 for the first row                                           */
    double value, variance; /* what is left after the mean model; sigma^2 + jitter^2         */
    double alpha, beta;     /* of G and of its derivative                                    */
    int instrument;
    int begins_night; /* the instrument has not observed in this night before             */
    int owner;        /* the instrument whose velocity it is, from 0; negative: no velocity */
} noise_row;

SHARED_FUNCTION int noise_block_states(noise_block_kind kind)
{
    return kind == NOISE_BLOCK_DAMPED           ? 2
           : kind == NOISE_BLOCK_MATERN52       ? 3
           : kind == NOISE_BLOCK_QUASI_PERIODIC ? 0
                                                : 1;
}

/* e^(-c t) C and e^(-c t) S of a damped block. A block that creeps has c^2 + q > 0: both of its
 * exponentials decay, and neither overflows. */
SHARED_FUNCTION void noise_block_swing(const noise_block *block, double t, double *cosine,
                                       double *sine)
{
    if (block->q > 0.0) {
        double w = sqrt(block->q), decay = exp(-block->c * t);
        *cosine = decay * cos(w * t);
        *sine = decay * sin(w * t) / w;
    } else {
        double w = sqrt(-block->q), slow = exp(-(block->c - w) * t);
        double lost = -expm1(-2.0 * w * t); /* 1 - e^(-2 w t) */
        *cosine = slow * (1.0 - 0.5 * lost);
        *sine = w > 0.0 ? slow * lost / (2.0 * w) : slow * t;
    }
}

/* R over a gap, [n][n] of the block's states. */
SHARED_FUNCTION void noise_block_propagator(const noise_block *block, const noise_row *row,
                                            double r[3][3])
{
    double t = row->days_since_last;
    if (block->kind == NOISE_BLOCK_NIGHT) {
        r[0][0] = row->begins_night && row->instrument == block->instrument ? 0.0 : 1.0;
    } else if (block->kind == NOISE_BLOCK_EXPONENTIAL) {
        r[0][0] = exp(-block->c * t);
    } else if (block->kind == NOISE_BLOCK_DAMPED) {
        double cosine, sine;
        noise_block_swing(block, t, &cosine, &sine);
        r[0][0] = r[1][1] = cosine;
        r[0][1] = -block->q * sine;
        r[1][0] = sine;
    } else if (block->kind == NOISE_BLOCK_MATERN52) {
        double x = block->c * t, decay = exp(-x);
        r[0][0] = r[1][1] = r[2][2] = decay;
        r[1][0] = r[2][1] = decay * x;
        r[2][0] = 0.5 * decay * x * x;
        r[0][1] = r[0][2] = r[1][2] = 0.0;
    }
}

/* How a row of some owner sees a block, whose alpha and beta come as those of the row. */
SHARED_FUNCTION void noise_block_weigh(const noise_block *block, int owner, double *alpha,
                                       double *beta)
{
    if (block->owner == NOISE_OWNER_ALL)
        return;
    bool is_seen = block->owner == NOISE_OWNER_VELOCITIES ? owner >= 0 : owner + 1 == block->owner;
    *alpha = is_seen ? 1.0 : 0.0;
    *beta = 0.0;
}

/* What a row sees of a block: u, v, and its variance without any other row. */
SHARED_FUNCTION double noise_block_view(const noise_block *block, const noise_row *row, double *u,
                                        double *v)
{
    double alpha = row->alpha, beta = row->beta, a = block->a, b = block->b, c = block->c,
           q = block->q;
    noise_block_weigh(block, row->owner, &alpha, &beta);
    if (block->kind == NOISE_BLOCK_NIGHT && row->instrument != block->instrument)
        alpha = beta = 0.0;
    /* An exponential alone has no derivative; beside others it is part of one. */
    if (noise_block_states(block->kind) == 1) {
        u[0] = a * (alpha - beta * c);
        v[0] = alpha + beta * c;
        return u[0] * v[0];
    }
    if (block->kind == NOISE_BLOCK_DAMPED) {
        u[0] = alpha * a + beta * (b - c * a);
        u[1] = alpha * b - beta * (q * a + c * b);
        v[0] = alpha + beta * c;
        v[1] = -beta;
        return alpha * alpha * a - beta * beta * (a * (c * c - q) - 2.0 * b * c);
    }
    if (block->kind == NOISE_BLOCK_QUASI_PERIODIC)
        return a * (alpha * alpha + beta * beta * (q * q * b * b + c * c));
    u[0] = alpha * a;
    u[1] = a * (alpha - beta * c / 3.0);
    u[2] = 2.0 * a * (alpha - beta * c) / 3.0;
    v[0] = alpha + beta * c;
    v[1] = -beta * c;
    v[2] = 0.0;
    return alpha * alpha * a + beta * beta * a * c * c / 3.0;
}

/* All blocks: u and v of all states, and their variance beside that of the row. */
SHARED_FUNCTION double noise_process_view(const noise_process *process, const noise_row *row,
                                          double *u, double *v)
{
    double variance = row->variance;
    for (int b = 0; b < process->n_blocks; b++) {
        int m = noise_block_states(process->block[b].kind);
        variance += noise_block_view(&process->block[b], row, u, v);
        u += m;
        v += m;
    }
    return variance;
}

/* ---- the recursion ----------------------------------------------------------------------------
 */

/* Of one row: blocks have at most three states, nine numbers for three. */
enum { NOISE_PROPAGATOR_PER_STATE = 3 };

/* States of the blocks, and R of all of them, [m][m] each, one behind the other. */
typedef struct noise_propagator {
    size_t n_blocks;
    int block_states[NOISE_PROCESS_MOST_BLOCKS];
    double r[NOISE_PROPAGATOR_PER_STATE * NOISE_PROCESS_MOST_STATES];
} noise_propagator;

SHARED_FUNCTION size_t noise_propagator_fill(const noise_process *process, const noise_row *row,
                                             double *r)
{
    size_t n = 0;
    for (int b = 0; b < process->n_blocks; b++) {
        double own[3][3];
        int m = noise_block_states(process->block[b].kind);
        noise_block_propagator(&process->block[b], row, own);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                r[n++] = own[i][j];
    }
    return n;
}

SHARED_FUNCTION void noise_propagator_make(const noise_process *process, const noise_row *row,
                                           noise_propagator *made)
{
    made->n_blocks = (size_t)process->n_blocks;
    for (int b = 0; b < process->n_blocks; b++)
        made->block_states[b] = noise_block_states(process->block[b].kind);
    noise_propagator_fill(process, row, made->r);
}

/* n vectors of a block's states, [m][n], each multiplied by r [m][m]. */
SHARED_FUNCTION void noise_propagate_block(int m, const double *r, size_t n, double *vectors)
{
    double *second = vectors + n, *third = second + n;
    if (m == 1) {
        for (size_t j = 0; j < n; j++)
            vectors[j] *= r[0];
    } else if (m == 2) {
        for (size_t j = 0; j < n; j++) {
            double a = vectors[j], b = second[j];
            vectors[j] = r[0] * a + r[1] * b;
            second[j] = r[2] * a + r[3] * b;
        }
    } else {
        for (size_t j = 0; j < n; j++) {
            double a = vectors[j], b = second[j], c = third[j];
            vectors[j] = r[0] * a + r[1] * b + r[2] * c;
            second[j] = r[3] * a + r[4] * b + r[5] * c;
            third[j] = r[6] * a + r[7] * b + r[8] * c;
        }
    }
}

/* x <- R x of n vectors over all states, [n_states][n]. */
SHARED_FUNCTION void noise_propagate(size_t n_blocks, const int *block_states, const double *r,
                                     size_t n, double *vectors)
{
    for (size_t b = 0; b < n_blocks; b++) {
        int m = block_states[b];
        noise_propagate_block(m, r, n, vectors);
        vectors += (size_t)m * n;
        r += m * m;
    }
}

SHARED_FUNCTION void noise_transpose(size_t n, size_t width, double *matrix)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double kept = matrix[i * width + j];
            matrix[i * width + j] = matrix[j * width + i];
            matrix[j * width + i] = kept;
        }
}

/* S <- R S R' of a symmetric S, [n][width], zero beyond n: R S, turned, and R again. */
SHARED_FUNCTION void noise_propagate_both(size_t n_blocks, const int *block_states, const double *r,
                                          size_t n, size_t width, double *s)
{
    noise_propagate(n_blocks, block_states, r, width, s);
    noise_transpose(n, width, s);
    noise_propagate(n_blocks, block_states, r, width, s);
}

/* S <- S + D w w', with w and D of the row before; w is zero beyond n. */
SHARED_FUNCTION void noise_learn(size_t n, size_t width, double d, const double *w, double *s)
{
    for (size_t i = 0; i < n; i++) {
        double share = d * w[i], *row = s + i * width;
        for (size_t j = 0; j < width; j++)
            row[j] += share * w[j];
    }
}

/* D = d - u' S u of a row whose own variance is d; v becomes v - S u. `seen` has room for `width`
 * numbers. */
SHARED_FUNCTION double noise_innovation(size_t n, size_t width, const double *s, const double *u,
                                        double d, double *seen, double *v)
{
    for (size_t j = 0; j < width; j++)
        seen[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            seen[j] += s[i * width + j] * u[i];
    for (size_t i = 0; i < n; i++) {
        d -= u[i] * seen[i];
        v[i] -= seen[i];
    }
    return d;
}

/* ---- of one column, row by row -----------------------------------------------------------------
 */

/* S and f after the gap, w, D and z of a row: S [n][n], f [n], w [n] and two numbers. */
enum { NOISE_STATE_MOST_SIZE = NOISE_PROCESS_MOST_STATES * (NOISE_PROCESS_MOST_STATES + 2) + 2 };

SHARED_FUNCTION size_t noise_state_size(size_t n_states)
{
    return n_states * n_states + 2 * n_states + 2;
}

SHARED_FUNCTION void noise_state_begin(const noise_process *process, double *state)
{
    for (size_t i = 0; i < noise_state_size((size_t)process->n_states); i++)
        state[i] = 0.0;
}

/* What the row before has taught, carried over the gap. */
SHARED_FUNCTION void noise_state_propagate(const noise_process *process, const noise_row *row,
                                           double *state)
{
    noise_propagator over;
    size_t n = (size_t)process->n_states;
    double *s = state, *f = s + n * n, *w = f + n, d = w[n], z = w[n + 1];
    noise_propagator_make(process, row, &over);
    noise_learn(n, n, d, w, s);
    noise_propagate_both(over.n_blocks, over.block_states, over.r, n, n, s);
    for (size_t i = 0; i < n; i++)
        f[i] += w[i] * z;
    noise_propagate(over.n_blocks, over.block_states, over.r, 1, f);
}

/* Takes a row in. False where rounding or a covariance that is none has eaten the variance. */
SHARED_FUNCTION bool noise_state_take(const noise_process *process, const noise_row *row,
                                      double *state)
{
    double u[NOISE_PROCESS_MOST_STATES], seen[NOISE_PROCESS_MOST_STATES];
    size_t n = (size_t)process->n_states;
    double *s = state, *f = s + n * n, *w = f + n;
    noise_state_propagate(process, row, state);
    double z = row->value;
    double d = noise_innovation(n, n, s, u, noise_process_view(process, row, u, w), seen, w);
    for (size_t i = 0; i < n; i++) {
        w[i] /= d;
        z -= u[i] * f[i];
    }
    w[n] = d;
    w[n + 1] = z;
    return d > 0.0 && isfinite(d);
}

#endif
