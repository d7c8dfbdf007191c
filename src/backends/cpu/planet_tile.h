/* A tile of parameter sets: the domain check, and the constants of all their planets,
 * one planet per lane. */
#ifndef EQUANT_BACKENDS_CPU_PLANET_TILE_H
#define EQUANT_BACKENDS_CPU_PLANET_TILE_H

#include <math.h>
#include <stdbool.h>

#include "backends/cpu/huge_angle.h"
#include "physics/radial_velocity.h"

/* True when every parameter of the set is finite and inside its domain. */
static bool planet_tile_inside_domain(const cpu_problem *problem, const double *set)
{
    for (size_t i = 0; i < problem->n_parameters; i++)
        if (!isfinite(set[i]))
            return false;
    for (size_t p = 0; p < problem->n_planets; p++) {
        double period = set[5 * p], eccentricity = set[5 * p + 2];
        if (!(period > problem->period_floor_days) || !(eccentricity >= 0.0) ||
            !(eccentricity < 1.0))
            return false;
    }
    for (size_t i = 0; problem->with_jitter && i < problem->n_segments; i++) {
        double jitter = set[problem->n_parameters - problem->n_segments + i];
        if (jitter < 0.0 || !isfinite(jitter * jitter))
            return false;
    }
    return true;
}

/* Columns of planets in scratch arrays: a multiple of CPU_PADDING, as CPU_TILE is. */
static size_t planet_tile_stride(const cpu_problem *problem)
{
    return CPU_TILE * problem->n_planets;
}

/* Transposes the elements of n_sets sets into lanes. Sets outside the domain lend
 * a harmless circle to the arithmetic; their results are never read. */
static void planet_tile_load(const cpu_problem *problem, size_t n_sets, const double *parameters,
                             const cpu_scratch *scratch, bool *valid)
{
    static const double harmless[5] = {1.0, 0.0, 0.0, 0.0, 0.0};
    size_t stride = planet_tile_stride(problem), n = 0;
    for (size_t s = 0; s < n_sets; s++) {
        const double *set = parameters + s * problem->n_parameters;
        valid[s] = planet_tile_inside_domain(problem, set);
        for (size_t p = 0; p < problem->n_planets; p++, n++) {
            const double *planet = valid[s] ? set + 5 * p : harmless;
            for (size_t i = 0; i < 5; i++)
                scratch->elements[i * stride + n] =
                    i < 3 ? planet[i] : huge_angle_reduce(planet[i], HUGE_ANGLE);
        }
    }
    for (; n % CPU_PADDING != 0; n++)
        for (size_t i = 0; i < 5; i++)
            scratch->elements[i * stride + n] = harmless[i];
}

static void planet_tile_prepare(const cpu_problem *problem, size_t n_sets,
                                const cpu_scratch *scratch)
{
    size_t stride = planet_tile_stride(problem);
    const double *elements = scratch->elements;
    for (size_t i = 0; i < n_sets * problem->n_planets; i += F64_LANES) {
        f64 constants[N_CONSTANTS];
        radial_velocity_prepare(f64_load(elements + i), f64_load(elements + stride + i),
                                f64_load(elements + 2 * stride + i),
                                f64_load(elements + 3 * stride + i),
                                f64_load(elements + 4 * stride + i), constants);
        for (int c = 0; c < N_CONSTANTS; c++)
            f64_store(scratch->constants + (size_t)c * stride + i, constants[c]);
    }
}

#endif
