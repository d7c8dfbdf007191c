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
#define KEPLER_FAR (WIDE_IS_DOUBLE ? HUGE_ANGLE : 1e5)

/* A strip of equations on its way through the stages. */
typedef struct kepler_strip {
    double M[CPU_STRIP], e[CPU_STRIP], one_minus_e[CPU_STRIP];
    double turns[CPU_STRIP];
    scalar M_reduced[CPU_STRIP], E_minus_sin[CPU_STRIP], one_minus_cos[CPU_STRIP];
    float guess[CPU_STRIP];
    double E[CPU_STRIP], correction[CPU_STRIP], sine[CPU_STRIP], cosine[CPU_STRIP];
} kepler_strip;

static bool kepler_inside_domain(double M, double e)
{
    return isfinite(M) && e >= 0.0 && e < 1.0;
}

/* Copies n equations in. Those outside the domain become (0, 0), and the strip is filled
 * up with such to whole lane groups. In single precision M and e are rounded
 * first, as in a program that has nothing wider. */
static void kepler_strip_load(kepler_strip *strip, size_t n, size_t n_padded, const double *M,
                              const double *e)
{
    const bool all_single = sizeof(wide_scalar) == sizeof(float) && !WIDE_IS_PAIR;
    memcpy(strip->M, M, n * sizeof *M);
    memcpy(strip->e, e, n * sizeof *e);
    memset(strip->M + n, 0, (n_padded - n) * sizeof *M);
    memset(strip->e + n, 0, (n_padded - n) * sizeof *e);
    int n_odd = 0;
    for (size_t k = 0; k < n; k++)
        n_odd += !(fabs(M[k]) < KEPLER_FAR) | !(e[k] >= 0.0) | !(e[k] < 1.0);
    for (size_t k = 0; n_odd > 0 && k < n; k++) {
        bool valid = kepler_inside_domain(M[k], e[k]);
        strip->M[k] = valid ? huge_angle_reduce(M[k], KEPLER_FAR) : 0.0;
        strip->e[k] = valid ? e[k] : 0.0;
    }
    for (size_t k = 0; all_single && k < n; k++) {
        const float below_one = 0x1.fffffep-1f;
        strip->M[k] = (float)strip->M[k];
        strip->e[k] = (float)strip->e[k] < below_one ? (float)strip->e[k] : below_one;
    }
    for (size_t k = 0; k < n_padded; k++)
        strip->one_minus_e[k] = 1.0 - strip->e[k];
}

/* The angles M within half a turn of pericentre, and the whole turns. */
LANE_FUNCTION void kepler_strip_reduce(kepler_strip *strip, size_t n_padded)
{
    for (size_t k = 0; k < n_padded; k += WIDE_LANES) {
        wide M = wide_load_double(strip->M + k), turns;
#if WIDE_IS_PAIR
        double M_low[WIDE_LANES];
        for (size_t i = 0; i < WIDE_LANES; i++)
            M_low[i] = strip->M[k + i] - (double)(float)strip->M[k + i];
        wide reduced = mean_anomaly_reduce_f32(M, wide_load_double(M_low), &turns);
#elif WIDE_IS_DOUBLE
        wide reduced = mean_anomaly_reduce_f64(M, &turns);
#else
        wide reduced = mean_anomaly_reduce_f32(M, WIDE(0.0), &turns);
#endif
        real_store_wide(strip->M_reduced + k, reduced);
        wide_store_double(strip->turns + k, turns);
    }
}

/* First guesses, and their E - sin E and 1 - cos E. */
LANE_FUNCTION void kepler_strip_guess(kepler_strip *strip, size_t n_padded)
{
    for (size_t k = 0; k < n_padded; k += COARSE_LANES)
        f32_store(strip->guess + k, starter_cubic(lane_abs(coarse_load_real(strip->M_reduced + k)),
                                                  f32_load_narrowed(strip->e + k),
                                                  f32_load_narrowed(strip->one_minus_e + k)));
    for (size_t k = 0; k < n_padded; k += REAL_LANES) {
        real E_minus_sin, one_minus_cos;
        sin_cos_versed(real_load_coarse(strip->guess + k), &E_minus_sin, &one_minus_cos);
        real_store(strip->E_minus_sin + k, E_minus_sin);
        real_store(strip->one_minus_cos + k, one_minus_cos);
    }
}

LANE_FUNCTION void kepler_strip_solve(const backend_engine *engine, kepler_strip *strip,
                                      size_t n_padded, int danby)
{
    real tolerance = REAL(engine->danby_tolerance);
    if (!danby)
        kepler_strip_guess(strip, n_padded);
    for (size_t k = 0; k < n_padded; k += REAL_LANES) {
        real M = real_load(strip->M_reduced + k), M_abs = lane_abs(M), guess;
        real e = real_load_double(strip->e + k);
        real one_minus_e = real_load_double(strip->one_minus_e + k);
        kepler_point point;
        if (danby) {
            guess = kepler_danby(kepler_danby_guess(M_abs, e), M_abs, e, one_minus_e, tolerance,
                                 engine->danby_max_iterations, &point);
        } else {
            guess = real_load_coarse(strip->guess + k);
            point = kepler_correct(guess, real_load(strip->E_minus_sin + k),
                                   real_load(strip->one_minus_cos + k), M_abs, e, e * REAL(0.5),
                                   one_minus_e);
        }
        real_store_double(strip->E + k, lane_flip_sign(guess, M));
        real_store_double(strip->correction + k, lane_flip_sign(point.correction, M));
        real_store_double(strip->sine + k, lane_flip_sign(point.sine, M));
        real_store_double(strip->cosine + k, REAL(1.0) - point.one_minus_cos);
    }
}

/* E on the revolution of its M: guess, correction and turns are put together in double,
 * so that no precision rounds E to a float. */
LANE_FUNCTION void kepler_strip_unfold(kepler_strip *strip, size_t n_padded)
{
    const f64 two_pi = F64(MEAN_ANOMALY_TWO_PI_F64), low = F64(MEAN_ANOMALY_TWO_PI_F64_LOW);
    for (size_t k = 0; k < n_padded; k += F64_LANES) {
        f64 turns = f64_load(strip->turns + k);
        f64 small = lane_fma(turns, low, f64_load(strip->correction + k));
        f64_store(strip->E + k, lane_fma(turns, two_pi, f64_load(strip->E + k)) + small);
    }
}

/* The rare cases, after the fact: no solution, or too many revolutions to count. */
static void kepler_strip_mend(kepler_strip *strip, size_t n, const double *M, const double *e)
{
    for (size_t k = 0; k < n; k++) {
        if (!kepler_inside_domain(M[k], e[k]))
            strip->E[k] = strip->sine[k] = strip->cosine[k] = NAN;
        else if (fabs(M[k]) >= KEPLER_FAR)
            strip->E[k] = M[k] + e[k] * strip->sine[k];
    }
}

static void kepler_loop(const backend_engine *engine, size_t n, const double *M, const double *e,
                        double *E, double *sine, double *cosine)
{
    kepler_strip strip;
    for (size_t first = 0; first < n; first += CPU_STRIP) {
        size_t left = n - first, count = left < CPU_STRIP ? left : CPU_STRIP;
        size_t n_padded = (count + CPU_PADDING - 1) / CPU_PADDING * CPU_PADDING;
        kepler_strip_load(&strip, count, n_padded, M + first, e + first);
        kepler_strip_reduce(&strip, n_padded);
        if (engine->solver == EQUANT_SOLVER_DANBY)
            kepler_strip_solve(engine, &strip, n_padded, 1);
        else
            kepler_strip_solve(engine, &strip, n_padded, 0);
        kepler_strip_unfold(&strip, n_padded);
        kepler_strip_mend(&strip, count, M + first, e + first);
        if (E)
            memcpy(E + first, strip.E, count * sizeof *E);
        if (sine)
            memcpy(sine + first, strip.sine, count * sizeof *sine);
        if (cosine)
            memcpy(cosine + first, strip.cosine, count * sizeof *cosine);
    }
}

#endif
