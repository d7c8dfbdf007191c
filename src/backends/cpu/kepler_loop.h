/* Kepler's equation for arrays of (M, e), a different eccentricity in every lane. */
#ifndef EQUANT_BACKENDS_CPU_KEPLER_LOOP_H
#define EQUANT_BACKENDS_CPU_KEPLER_LOOP_H

#include <math.h>
#include <string.h>

#include "model/huge_angle.h"
#include "physics/kepler_equation.h"
#include "physics/kepler_starter.h"

/* Beyond this the lanes do not count revolutions: M is reduced ahead of them, and E is
 * M + e sin E, which is as good as the spacing of M. */
#define PAIR_FAR (WIDE_IS_DOUBLE ? HUGE_ANGLE : 1e5)

/* A block of pairs on its way through the stages. */
typedef struct pair_block {
    double M[CPU_BLOCK], e[CPU_BLOCK], one_minus_e[CPU_BLOCK];
    double turns[CPU_BLOCK];
    scalar M_reduced[CPU_BLOCK], E_minus_sin[CPU_BLOCK], one_minus_cos[CPU_BLOCK];
    float guess[CPU_BLOCK];
    double E[CPU_BLOCK], correction[CPU_BLOCK], sine[CPU_BLOCK], cosine[CPU_BLOCK];
} pair_block;

static bool pair_inside_domain(double M, double e)
{
    return isfinite(M) && e >= 0.0 && e < 1.0;
}

/* Copies n pairs in. Those outside the domain become (0, 0), and the block is filled
 * up with such pairs to whole lane groups. In single precision M and e are rounded
 * first, as in a program that has nothing wider. */
static void pair_load(pair_block *block, size_t n, size_t n_padded, const double *M,
                      const double *e)
{
    const bool all_single = sizeof(wide_scalar) == sizeof(float) && !WIDE_IS_PAIR;
    memcpy(block->M, M, n * sizeof *M);
    memcpy(block->e, e, n * sizeof *e);
    memset(block->M + n, 0, (n_padded - n) * sizeof *M);
    memset(block->e + n, 0, (n_padded - n) * sizeof *e);
    int n_odd = 0;
    for (size_t k = 0; k < n; k++)
        n_odd += !(fabs(M[k]) < PAIR_FAR) | !(e[k] >= 0.0) | !(e[k] < 1.0);
    for (size_t k = 0; n_odd > 0 && k < n; k++) {
        bool valid = pair_inside_domain(M[k], e[k]);
        block->M[k] = valid ? huge_angle_reduce(M[k], PAIR_FAR) : 0.0;
        block->e[k] = valid ? e[k] : 0.0;
    }
    for (size_t k = 0; all_single && k < n; k++) {
        const float below_one = 0x1.fffffep-1f;
        block->M[k] = (float)block->M[k];
        block->e[k] = (float)block->e[k] < below_one ? (float)block->e[k] : below_one;
    }
    for (size_t k = 0; k < n_padded; k++)
        block->one_minus_e[k] = 1.0 - block->e[k];
}

/* The angles M within half a turn of pericentre, and the whole turns. */
LANE_FUNCTION void pair_reduce(pair_block *block, size_t n_padded)
{
    for (size_t k = 0; k < n_padded; k += WIDE_LANES) {
        wide M = wide_load_double(block->M + k), turns;
#if WIDE_IS_PAIR
        double M_low[WIDE_LANES];
        for (size_t i = 0; i < WIDE_LANES; i++)
            M_low[i] = block->M[k + i] - (double)(float)block->M[k + i];
        wide reduced = mean_anomaly_reduce_f32(M, wide_load_double(M_low), &turns);
#elif WIDE_IS_DOUBLE
        wide reduced = mean_anomaly_reduce_f64(M, &turns);
#else
        wide reduced = mean_anomaly_reduce_f32(M, WIDE(0.0), &turns);
#endif
        real_store_wide(block->M_reduced + k, reduced);
        wide_store_double(block->turns + k, turns);
    }
}

/* First guesses, and their E - sin E and 1 - cos E. */
LANE_FUNCTION void pair_guess(pair_block *block, size_t n_padded)
{
    for (size_t k = 0; k < n_padded; k += COARSE_LANES)
        f32_store(block->guess + k, starter_cubic(lane_abs(coarse_load_real(block->M_reduced + k)),
                                                  f32_load_narrowed(block->e + k),
                                                  f32_load_narrowed(block->one_minus_e + k)));
    for (size_t k = 0; k < n_padded; k += REAL_LANES) {
        real E_minus_sin, one_minus_cos;
        sin_cos_versed(real_load_coarse(block->guess + k), &E_minus_sin, &one_minus_cos);
        real_store(block->E_minus_sin + k, E_minus_sin);
        real_store(block->one_minus_cos + k, one_minus_cos);
    }
}

LANE_FUNCTION void pair_solve(const backend_engine *engine, pair_block *block, size_t n_padded,
                              int danby)
{
    real tolerance = REAL(engine->danby_tolerance);
    if (!danby)
        pair_guess(block, n_padded);
    for (size_t k = 0; k < n_padded; k += REAL_LANES) {
        real M = real_load(block->M_reduced + k), M_abs = lane_abs(M), guess;
        real e = real_load_double(block->e + k);
        real one_minus_e = real_load_double(block->one_minus_e + k);
        kepler_point point;
        if (danby) {
            guess = kepler_danby(kepler_danby_guess(M_abs, e), M_abs, e, one_minus_e, tolerance,
                                 engine->danby_max_iterations, &point);
        } else {
            guess = real_load_coarse(block->guess + k);
            point = kepler_correct(guess, real_load(block->E_minus_sin + k),
                                   real_load(block->one_minus_cos + k), M_abs, e, e * REAL(0.5),
                                   one_minus_e);
        }
        real_store_double(block->E + k, lane_flip_sign(guess, M));
        real_store_double(block->correction + k, lane_flip_sign(point.correction, M));
        real_store_double(block->sine + k, lane_flip_sign(point.sine, M));
        real_store_double(block->cosine + k, REAL(1.0) - point.one_minus_cos);
    }
}

/* E on the revolution of its M: guess, correction and turns are put together in double,
 * so that no precision rounds E to a float. */
LANE_FUNCTION void pair_unfold(pair_block *block, size_t n_padded)
{
    const f64 two_pi = F64(MEAN_ANOMALY_TWO_PI_F64), low = F64(MEAN_ANOMALY_TWO_PI_F64_LOW);
    for (size_t k = 0; k < n_padded; k += F64_LANES) {
        f64 turns = f64_load(block->turns + k);
        f64 small = lane_fma(turns, low, f64_load(block->correction + k));
        f64_store(block->E + k, lane_fma(turns, two_pi, f64_load(block->E + k)) + small);
    }
}

/* The rare cases, after the fact: no solution, or too many revolutions to count. */
static void pair_mend(pair_block *block, size_t n, const double *M, const double *e)
{
    for (size_t k = 0; k < n; k++) {
        if (!pair_inside_domain(M[k], e[k]))
            block->E[k] = block->sine[k] = block->cosine[k] = NAN;
        else if (fabs(M[k]) >= PAIR_FAR)
            block->E[k] = M[k] + e[k] * block->sine[k];
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
        pair_reduce(&block, n_padded);
        if (engine->solver == EQUANT_SOLVER_DANBY)
            pair_solve(engine, &block, n_padded, 1);
        else
            pair_solve(engine, &block, n_padded, 0);
        pair_unfold(&block, n_padded);
        pair_mend(&block, count, M + first, e + first);
        if (E)
            memcpy(E + first, block.E, count * sizeof *E);
        if (sine)
            memcpy(sine + first, block.sine, count * sizeof *sine);
        if (cosine)
            memcpy(cosine + first, block.cosine, count * sizeof *cosine);
    }
}

#endif
