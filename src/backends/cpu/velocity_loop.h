/* Velocities of all planets of one set at all observations.
 *
 * One planet at a time over a block of observations, in three stages that hand small
 * arrays to each other: phase (wide lanes), first guess (coarse lanes), correction and
 * velocity (real lanes). Each stage runs at the full width of its own type, and
 * its chains of dependent operations are short enough for the processor to overlap. */
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
        coarse centre = F32(planet_constant(planet, CONSTANT_CENTRE));
        coarse coefficients[STARTER_N_S];
        for (int i = 0; i < STARTER_N_S; i++)
            coefficients[i] = F32(planet_constant(planet, CONSTANT_STARTER + i));
        for (size_t k = 0; k < n; k += COARSE_LANES)
            f32_store(guess + k, starter_polynomial(lane_abs(coarse_load_real(M + k)), steepness,
                                                    centre, coefficients));
    } else {
        coarse e_lanes = F32(e);
        coarse one_minus_e = F32(planet_constant(planet, CONSTANT_ONE_MINUS_E));
        for (size_t k = 0; k < n; k += COARSE_LANES)
            f32_store(guess + k,
                      starter_cubic(lane_abs(coarse_load_real(M + k)), e_lanes, one_minus_e));
    }
}

/* Adds v to the velocities at p. */
LANE_FUNCTION void velocity_accumulate(scalar *p, scalar *low, real v, int compensated)
{
    real sum = real_load(p);
    if (compensated) {
        real carry = real_load(low);
        summation_compensated(&sum, &carry, v);
        real_store(low, carry);
    } else {
        sum = sum + v;
    }
    real_store(p, sum);
}

/* Stage three: correction and velocity, added to sum[k]. */
LANE_FUNCTION void velocity_finish(const backend_engine *engine, planet_view planet, size_t n,
                                   const scalar *M, const float *guess, scalar *sum, scalar *low,
                                   int compensated, int danby)
{
    double e_exact = planet_constant(planet, CONSTANT_E);
    real e = REAL(e_exact), half_e = REAL(0.5 * e_exact);
    real one_minus_e = REAL(planet_constant(planet, CONSTANT_ONE_MINUS_E));
    real A = REAL(planet_constant(planet, CONSTANT_A));
    real B = REAL(planet_constant(planet, CONSTANT_B));
    real tolerance = REAL(engine->danby_tolerance);
    int max_iterations = engine->danby_max_iterations;
    for (size_t k = 0; k < n; k += REAL_LANES) {
        real M_k = real_load(M + k);
        kepler_point point;
        if (danby)
            kepler_danby(lane_abs(M_k), e, one_minus_e, tolerance, max_iterations, &point);
        else
            point =
                kepler_correct(real_load_coarse(guess + k), lane_abs(M_k), e, half_e, one_minus_e);
        real v = radial_velocity(point, M_k, e, one_minus_e, A, B);
        velocity_accumulate(sum + k, low + k, v, compensated);
    }
}

LANE_FUNCTION void velocity_loop_with(const cpu_problem *problem, const cpu_scratch *scratch,
                                      size_t set, size_t stride, int compensated, int danby)
{
    scalar M[CPU_BLOCK] __attribute__((aligned(64)));
    float guess[CPU_BLOCK] __attribute__((aligned(64)));
    scalar *sum = scratch->planets, *low = scratch->planets_low;
    for (size_t first = 0; first < problem->n_padded; first += CPU_BLOCK) {
        size_t left = problem->n_padded - first;
        size_t n = left < CPU_BLOCK ? left : CPU_BLOCK;
        memset(sum + first, 0, n * sizeof *sum);
        if (compensated)
            memset(low + first, 0, n * sizeof *low);
        for (size_t p = 0; p < problem->n_planets; p++) {
            planet_view planet = {scratch->constants + set * problem->n_planets + p, stride};
            velocity_phase(problem, planet, first, n, M);
            if (!danby)
                velocity_guess(planet, n, M, guess);
            velocity_finish(&problem->engine, planet, n, M, guess, sum + first, low + first,
                            compensated, danby);
        }
    }
}

/* Fills scratch->planets for set `set` of the tile. */
static void velocity_loop(const cpu_problem *problem, const cpu_scratch *scratch, size_t set,
                          size_t stride)
{
    int danby = problem->engine.solver == EQUANT_SOLVER_DANBY;
    int compensated = problem->engine.summation == EQUANT_SUMMATION_COMPENSATED;
    if (danby && compensated)
        velocity_loop_with(problem, scratch, set, stride, 1, 1);
    else if (danby)
        velocity_loop_with(problem, scratch, set, stride, 0, 1);
    else if (compensated)
        velocity_loop_with(problem, scratch, set, stride, 1, 0);
    else
        velocity_loop_with(problem, scratch, set, stride, 0, 0);
}

#endif
