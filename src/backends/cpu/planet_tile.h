/* A tile of parameter sets: the domain check, and the constants of all their planets,
 * one planet per lane. */
#ifndef EQUANT_BACKENDS_CPU_PLANET_TILE_H
#define EQUANT_BACKENDS_CPU_PLANET_TILE_H

#include <math.h>
#include <stdbool.h>

#include "model/huge_angle.h"
#include "model/parameter_domain.h"
#include "physics/radial_velocity.h"

/* Columns of planets in scratch arrays: a multiple of CPU_PADDING, as CPU_TILE is. */
static size_t planet_tile_stride(const cpu_problem *problem)
{
    return CPU_TILE * problem->layout.n_planets;
}

/* Transposes the elements of n_sets sets into lanes. Sets outside the domain lend
 * a harmless circle to the arithmetic; their results are never read. */
static void planet_tile_load(const cpu_problem *problem, size_t n_sets, const double *parameters,
                             const cpu_scratch *scratch, bool *valid)
{
    static const double harmless[N_ELEMENTS] = {[ELEMENT_PERIOD] = 1.0};
    size_t stride = planet_tile_stride(problem), n = 0;
    for (size_t s = 0; s < n_sets; s++) {
        const double *set = parameters + s * problem->layout.n_parameters;
        valid[s] = parameter_domain_has(&problem->layout, problem->period_floor_days, set);
        for (size_t p = 0; p < problem->layout.n_planets; p++, n++) {
            const double *planet = valid[s] ? set + N_ELEMENTS * p : harmless;
            for (size_t i = 0; i < N_ELEMENTS; i++)
                scratch->elements[i * stride + n] =
                    i < FIRST_ANGLE_ELEMENT ? planet[i] : huge_angle_reduce(planet[i], HUGE_ANGLE);
        }
    }
    for (; n % CPU_PADDING != 0; n++)
        for (size_t i = 0; i < N_ELEMENTS; i++)
            scratch->elements[i * stride + n] = harmless[i];
}

static void planet_tile_prepare(const cpu_problem *problem, size_t n_sets,
                                const cpu_scratch *scratch)
{
    size_t stride = planet_tile_stride(problem);
    const double *elements = scratch->elements;
    for (size_t i = 0; i < n_sets * problem->layout.n_planets; i += F64_LANES) {
        f64 constants[N_CONSTANTS];
        radial_velocity_prepare(f64_load(elements + ELEMENT_PERIOD * stride + i),
                                f64_load(elements + ELEMENT_K * stride + i),
                                f64_load(elements + ELEMENT_ECCENTRICITY * stride + i),
                                f64_load(elements + ELEMENT_OMEGA * stride + i),
                                f64_load(elements + ELEMENT_M0 * stride + i), constants);
        for (int c = 0; c < N_CONSTANTS; c++)
            f64_store(scratch->constants + (size_t)c * stride + i, constants[c]);
    }
}

#endif
