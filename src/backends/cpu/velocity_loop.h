/* Velocities of all planets of one set at all observations.
 *
 * One planet at a time over a strip of observations, in stages that hand small arrays
 * to each other: phase (wide lanes), first guess (coarse lanes), sine and cosine,
 * correction, velocity (real lanes). Each stage runs at the full width of its own type,
 * and its chains of dependent operations are short enough for the processor to overlap
 * many of them: one long loop is a tenth slower. */
#ifndef EQUANT_BACKENDS_CPU_VELOCITY_LOOP_H
#define EQUANT_BACKENDS_CPU_VELOCITY_LOOP_H

#include "physics/radial_velocity.h"
#include "physics/summation.h"

/* Constants of one planet, a stride apart. */
typedef struct planet_view {
    const double *constants;
    size_t stride;
} planet_view;

LANE_FUNCTION double planet_constant(planet_view planet, int which)
{
    return planet.constants[(size_t)which * planet.stride];
}

/* Stage one: the mean anomalies M[k]. */
LANE_FUNCTION void velocity_phase(const cpu_problem *problem, planet_view planet, size_t first,
                                  size_t n, scalar *M)
{
    const wide_scalar *time = (const wide_scalar *)problem->time_wide + first;
    double n_exact = planet_constant(planet, CONSTANT_MEAN_MOTION);
    double M0_exact = planet_constant(planet, CONSTANT_M0);
    wide mean_motion = WIDE(n_exact);
    wide M0 = WIDE(M0_exact);
#if WIDE_IS_PAIR
    const wide_scalar *time_low = (const wide_scalar *)problem->time_low + first;
    wide mean_motion_low = WIDE(n_exact - (double)(float)n_exact);
    wide M0_low = WIDE(M0_exact - (double)(float)M0_exact);
    for (size_t k = 0; k < n; k += WIDE_LANES)
        real_store_wide(M + k,
                        mean_anomaly_at_time_pair(wide_load(time + k), wide_load(time_low + k),
                                                  mean_motion, mean_motion_low, M0, M0_low));
#elif WIDE_IS_DOUBLE
    wide mean_motion_low = WIDE(planet_constant(planet, CONSTANT_MEAN_MOTION_LOW));
    for (size_t k = 0; k < n; k += WIDE_LANES)
        real_store_wide(
            M + k, mean_anomaly_at_time_f64(wide_load(time + k), mean_motion, mean_motion_low, M0));
#else
    for (size_t k = 0; k < n; k += WIDE_LANES)
        real_store_wide(M + k, mean_anomaly_at_time_f32(wide_load(time + k), mean_motion, M0));
#endif
}

/* Stage two: guess[k] of the eccentric anomaly. The choice is per planet, so the
 * loops have no branch. */
LANE_FUNCTION void velocity_guess(planet_view planet, size_t n, const scalar *M, float *guess)
{
    double e = planet_constant(planet, CONSTANT_E);
    if (e <= STARTER_ECCENTRICITY_MAX) {
        coarse steepness = F32(planet_constant(planet, CONSTANT_STEEPNESS));
        coarse origin = F32(planet_constant(planet, CONSTANT_ORIGIN));
        coarse coefficients[STARTER_N_S];
        for (int i = 0; i < STARTER_N_S; i++)
            coefficients[i] = F32(planet_constant(planet, CONSTANT_STARTER + i));
        for (size_t k = 0; k < n; k += COARSE_LANES)
            f32_store(guess + k, starter_polynomial(lane_abs(coarse_load_real(M + k)), steepness,
                                                    origin, coefficients));
    } else {
        coarse e_lanes = F32(e);
        coarse one_minus_e = F32(planet_constant(planet, CONSTANT_ONE_MINUS_E));
        for (size_t k = 0; k < n; k += COARSE_LANES)
            f32_store(guess + k,
                      starter_cubic(lane_abs(coarse_load_real(M + k)), e_lanes, one_minus_e));
    }
}

/* What the stages hand on, for one planet and one strip of observations. */
typedef struct velocity_strip {
    scalar M[CPU_STRIP] __attribute__((aligned(64)));
    float guess[CPU_STRIP] __attribute__((aligned(64)));
    scalar sine[CPU_STRIP] __attribute__((aligned(64))); /* E - sin E before the correction */
    scalar one_minus_cos[CPU_STRIP] __attribute__((aligned(64)));
} velocity_strip;

/* Stage three: E - sin E and 1 - cos E of the guesses. */
LANE_FUNCTION void velocity_sin_cos(velocity_strip *strip, size_t n)
{
    for (size_t k = 0; k < n; k += REAL_LANES) {
        real E_minus_sin, one_minus_cos;
        sin_cos_versed(real_load_coarse(strip->guess + k), &E_minus_sin, &one_minus_cos);
        real_store(strip->sine + k, E_minus_sin);
        real_store(strip->one_minus_cos + k, one_minus_cos);
    }
}

/* Stage four: sin E and 1 - cos E of the solutions. */
LANE_FUNCTION void velocity_correct(planet_view planet, velocity_strip *strip, size_t n)
{
    double e_exact = planet_constant(planet, CONSTANT_E);
    real e = REAL(e_exact), half_e = REAL(0.5 * e_exact);
    real one_minus_e = REAL(planet_constant(planet, CONSTANT_ONE_MINUS_E));
    for (size_t k = 0; k < n; k += REAL_LANES) {
        kepler_point point =
            kepler_correct(real_load_coarse(strip->guess + k), real_load(strip->sine + k),
                           real_load(strip->one_minus_cos + k), lane_abs(real_load(strip->M + k)),
                           e, half_e, one_minus_e);
        real_store(strip->sine + k, point.sine);
        real_store(strip->one_minus_cos + k, point.one_minus_cos);
    }
}

/* Stages two to four by the iteration of the paper. */
LANE_FUNCTION void velocity_danby(const backend_engine *engine, planet_view planet,
                                  velocity_strip *strip, size_t n)
{
    real e = REAL(planet_constant(planet, CONSTANT_E));
    real one_minus_e = REAL(planet_constant(planet, CONSTANT_ONE_MINUS_E));
    real tolerance = REAL(engine->danby_tolerance);
    for (size_t k = 0; k < n; k += REAL_LANES) {
        kepler_point point;
        real M_abs = lane_abs(real_load(strip->M + k));
        kepler_danby(kepler_danby_guess(M_abs, e), M_abs, e, one_minus_e, tolerance,
                     engine->danby_max_iterations, &point);
        real_store(strip->sine + k, point.sine);
        real_store(strip->one_minus_cos + k, point.one_minus_cos);
    }
}

/* Stages one to four: where the planet is at observations first ... first + n - 1. */
LANE_FUNCTION void velocity_solve(const cpu_problem *problem, planet_view planet, size_t first,
                                  size_t n, velocity_strip *strip)
{
    velocity_phase(problem, planet, first, n, strip->M);
    if (problem->engine.solver == EQUANT_SOLVER_DANBY) {
        velocity_danby(&problem->engine, planet, strip, n);
    } else {
        velocity_guess(planet, n, strip->M, strip->guess);
        velocity_sin_cos(strip, n);
        velocity_correct(planet, strip, n);
    }
}

/* Stage five: the velocities, added to sum[k]. */
LANE_FUNCTION void velocity_add(planet_view planet, const velocity_strip *strip, size_t n,
                                scalar *sum, scalar *low, int compensated)
{
    real e = REAL(planet_constant(planet, CONSTANT_E));
    real one_minus_e = REAL(planet_constant(planet, CONSTANT_ONE_MINUS_E));
    real A = REAL(planet_constant(planet, CONSTANT_A));
    real B = REAL(planet_constant(planet, CONSTANT_B));
    for (size_t k = 0; k < n; k += REAL_LANES) {
        kepler_point point = {.sine = real_load(strip->sine + k),
                              .one_minus_cos = real_load(strip->one_minus_cos + k)};
        real v = radial_velocity(point, real_load(strip->M + k), e, one_minus_e, A, B);
        real total = real_load(sum + k);
        if (compensated) {
            real carry = real_load(low + k);
            summation_compensated(&total, &carry, v);
            real_store(low + k, carry);
        } else {
            total = total + v;
        }
        real_store(sum + k, total);
    }
}

LANE_FUNCTION void velocity_loop_with(const cpu_problem *problem, const cpu_scratch *scratch,
                                      size_t set, size_t stride, int compensated)
{
    velocity_strip strip;
    scalar *sum = scratch->planets, *low = scratch->planets_low;
    for (size_t first = 0; first < problem->n_padded; first += CPU_STRIP) {
        size_t left = problem->n_padded - first;
        size_t n = left < CPU_STRIP ? left : CPU_STRIP;
        memset(sum + first, 0, n * sizeof *sum);
        if (compensated)
            memset(low + first, 0, n * sizeof *low);
        for (size_t p = 0; p < problem->layout.n_planets; p++) {
            planet_view planet = {scratch->constants + set * problem->layout.n_planets + p, stride};
            velocity_solve(problem, planet, first, n, &strip);
            velocity_add(planet, &strip, n, sum + first, compensated ? low + first : NULL,
                         compensated);
        }
    }
}

/* Fills scratch->planets for set `set` of the tile. */
static void velocity_loop(const cpu_problem *problem, const cpu_scratch *scratch, size_t set,
                          size_t stride)
{
    if (problem->engine.summation == EQUANT_SUMMATION_COMPENSATED)
        velocity_loop_with(problem, scratch, set, stride, 1);
    else
        velocity_loop_with(problem, scratch, set, stride, 0);
}

#endif
