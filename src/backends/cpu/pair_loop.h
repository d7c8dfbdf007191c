/* Kepler's equation for arrays of (M, e), a different eccentricity in every lane. */
#ifndef EQUANT_BACKENDS_CPU_PAIR_LOOP_H
#define EQUANT_BACKENDS_CPU_PAIR_LOOP_H

#include <math.h>
#include <string.h>

#include "backends/cpu/huge_angle.h"
#include "physics/kepler_equation.h"
#include "physics/kepler_starter.h"

/* Beyond this the revolutions are not counted: E is M + e sin E, which is as good as the
 * spacing of doubles there. Counts are held as reals, exact in a float below it. */
#define PAIR_FAR 1e7

/* A block of pairs on its way through the stages. */
typedef struct pair_block {
    wide_scalar M[CPU_BLOCK], M_low[CPU_BLOCK];
    scalar x[CPU_BLOCK], turns[CPU_BLOCK], e[CPU_BLOCK], one_minus_e[CPU_BLOCK];
    float e_coarse[CPU_BLOCK], one_minus_e_coarse[CPU_BLOCK], guess[CPU_BLOCK];
    scalar E[CPU_BLOCK], sine[CPU_BLOCK], cosine[CPU_BLOCK];
} pair_block;

/* Copies pairs in; those outside the domain become (0, 0), and the rest of the block
 * is filled up with them. In single precision M and e are rounded before anything
 * else, as they would be in a program that has nothing wider. */
LANE_FUNCTION void pair_load(pair_block *block, size_t n, size_t n_padded, const double *M,
                             const double *e)
{
    for (size_t k = 0; k < n_padded; k++) {
        bool valid = k < n && isfinite(M[k]) && e[k] >= 0.0 && e[k] < 1.0;
        double M_k = valid ? huge_angle_reduce(M[k]) : 0.0, e_k = valid ? e[k] : 0.0;
        if (sizeof(wide_scalar) == sizeof(float) && !WIDE_IS_PAIR)
            e_k = (float)e_k;
        block->M[k] = (wide_scalar)M_k;
        block->M_low[k] = (wide_scalar)(M_k - (double)block->M[k]);
        block->e[k] = (scalar)e_k;
        block->one_minus_e[k] = (scalar)(1.0 - e_k);
        block->e_coarse[k] = (float)e_k;
        block->one_minus_e_coarse[k] = (float)(1.0 - e_k);
    }
}

/* x in turns from pericentre, and the whole revolutions: the mean anomaly of a planet
 * whose period is two pi. */
LANE_FUNCTION void pair_phase(pair_block *block, size_t n_padded)
{
    wide n = WIDE(MEAN_ANOMALY_TURNS_PER_RADIAN);
    wide n_low = WIDE(MEAN_ANOMALY_TURNS_PER_RADIAN -
                      (double)(wide_scalar)MEAN_ANOMALY_TURNS_PER_RADIAN +
                      MEAN_ANOMALY_TURNS_PER_RADIAN_LOW);
    for (size_t k = 0; k < n_padded; k += WIDE_LANES) {
        wide M = wide_load(block->M + k), zero = WIDE(0.0);
#if WIDE_IS_PAIR
        wide x = mean_anomaly_turns_pair(M, wide_load(block->M_low + k), n, n_low, zero, zero);
#else
        wide x = LANE_PICK(M, mean_anomaly_turns_f32, mean_anomaly_turns_f64)(M, n, n_low, zero);
#endif
        real_store_wide(block->x + k, x);
        real_store_wide(block->turns + k, lane_round(lane_fma(M, n, zero)));
    }
}

LANE_FUNCTION void pair_solve(const backend_engine *engine, pair_block *block, size_t n_padded,
                              int danby)
{
    if (!danby)
        for (size_t k = 0; k < n_padded; k += COARSE_LANES)
            f32_store(block->guess + k, starter_cubic(lane_abs(coarse_load_real(block->x + k)),
                                                      f32_load(block->e_coarse + k),
                                                      f32_load(block->one_minus_e_coarse + k)));
    real tolerance = REAL(engine->danby_tolerance);
    for (size_t k = 0; k < n_padded; k += REAL_LANES) {
        real x = real_load(block->x + k), m = lane_abs(x);
        real e = real_load(block->e + k), one_minus_e = real_load(block->one_minus_e + k);
        kepler_point point;
        real E;
        if (danby) {
            E = kepler_danby(m, e, one_minus_e, tolerance, engine->danby_max_iterations, &point);
        } else {
            real guess = real_load_coarse(block->guess + k);
            point = kepler_correct(guess, m, e, e * REAL(0.5), one_minus_e);
            E = guess + point.correction;
        }
        real_store(block->E + k, lane_flip_sign(E, x));
        real_store(block->sine + k, lane_flip_sign(point.sine, x));
        real_store(block->cosine + k, REAL(1.0) - point.one_minus_cos);
    }
}

/* Copies results out, E back on the revolution of its M. */
static void pair_store(const pair_block *block, size_t n, const double *M, const double *e,
                       double *E, double *sine, double *cosine)
{
    const double two_pi = 6.283185307179586, two_pi_low = 2.4492935982947064e-16;
    for (size_t k = 0; k < n; k++) {
        bool valid = isfinite(M[k]) && e[k] >= 0.0 && e[k] < 1.0;
        double E_k = fma((double)block->turns[k], two_pi_low, (double)block->E[k]);
        E_k = fma((double)block->turns[k], two_pi, E_k);
        if (fabs(M[k]) >= PAIR_FAR)
            E_k = M[k] + e[k] * (double)block->sine[k];
        if (E)
            E[k] = valid ? E_k : NAN;
        if (sine)
            sine[k] = valid ? (double)block->sine[k] : NAN;
        if (cosine)
            cosine[k] = valid ? (double)block->cosine[k] : NAN;
    }
}

static void pair_loop(const backend_engine *engine, size_t n, const double *M, const double *e,
                      double *E, double *sine, double *cosine)
{
    pair_block block;
    for (size_t first = 0; first < n; first += CPU_BLOCK) {
        size_t left = n - first, count = left < CPU_BLOCK ? left : CPU_BLOCK;
        size_t n_padded = (count + CPU_PADDING - 1) / CPU_PADDING * CPU_PADDING;
        pair_load(&block, count, n_padded, M + first, e + first);
        pair_phase(&block, n_padded);
        if (engine->solver == EQUANT_SOLVER_DANBY)
            pair_solve(engine, &block, n_padded, 1);
        else
            pair_solve(engine, &block, n_padded, 0);
        pair_store(&block, count, M + first, e + first, E ? E + first : NULL,
                   sine ? sine + first : NULL, cosine ? cosine + first : NULL);
    }
}

#endif
