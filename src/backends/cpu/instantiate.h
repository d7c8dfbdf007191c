/* Turns the lanes included before it into one table of kernels, KERNELS. */
#include <string.h>

#include "backends/cpu/kernels.h"
#include "backends/cpu/planet_tile.h"
#include "backends/cpu/velocity_loop.h"
#include "backends/cpu/fit_loop.h"
#include "backends/cpu/kepler_loop.h"
#include "backends/cpu/noise_tile.h"
#if WIDE_IS_DOUBLE
#include "backends/cpu/scan_loop.h"
#include "backends/cpu/sky/sky_loop.h"
#endif
#if WIDE_IS_DOUBLE && !REAL_IS_DOUBLE
#include "backends/cpu/fold/fold_loop.h"
#endif
#if REAL_IS_DOUBLE
#include "backends/cpu/derivative_loop.h"
#include "backends/cpu/cpu_noise_derivative.h"
#include "backends/cpu/noise_general.h"
#endif

static void evaluate_tile(const cpu_problem *problem, size_t n_sets, const double *parameters,
                          const equant_results *results, const cpu_scratch *scratch)
{
    bool valid[CPU_TILE] = {false};
    planet_tile_load(problem, n_sets, parameters, scratch, valid);
    planet_tile_prepare(problem, n_sets, scratch);
    size_t stride = planet_tile_stride(problem);
    bool is_correlated = problem->layout.noise.n > 0;
    if (is_correlated)
        noise_tile(problem, n_sets, parameters, valid, results, scratch);
    for (size_t s = 0; s < n_sets; s++) {
        equant_results one = cpu_results_from(problem, results, s);
        if (!valid[s])
            fit_set_outside_domain(problem, &one);
        if (!valid[s] || is_correlated)
            continue;
        velocity_loop(problem, scratch, s, stride);
        fit_set(problem, scratch, parameters + s * problem->layout.n_parameters, &one);
    }
}

#if REAL_IS_DOUBLE
/* Set `set` of the tile; `out` points at its own rows. */
static void derivative_set_with_noise(const cpu_problem *problem, const cpu_scratch *scratch,
                                      const cpu_derivative_scratch *memory, size_t set,
                                      const double *parameters, const equant_derivatives *out)
{
    derivative_planets(problem, scratch, memory, set,
                       problem->engine.summation == EQUANT_SUMMATION_COMPENSATED);
    noise_tile_given(problem, parameter_layout_view(&problem->layout, parameters),
                     noise_tile_linear(problem, scratch, 0));
    noise_tile_residuals(problem, scratch, 0);
    for (size_t k = 0; k < problem->n_obs; k++)
        memory->noise.values[k] = scratch->noise_residuals[k * F64_LANES];
    if (!noise_derivative_set(problem, memory, parameters, out))
        derivative_outside_domain(problem, out);
}

static void derivative_tile(const cpu_problem *problem, equant_basis basis, size_t n_sets,
                            const double *parameters, const equant_derivatives *derivatives,
                            const cpu_scratch *scratch, const cpu_derivative_scratch *memory)
{
    bool valid[CPU_TILE];
    planet_tile_load(problem, n_sets, parameters, scratch, valid);
    planet_tile_prepare(problem, n_sets, scratch);
    derivative_prepare(problem, basis, n_sets, scratch, memory);
    for (size_t s = 0; s < n_sets; s++) {
        const double *set = parameters + s * problem->layout.n_parameters;
        equant_derivatives one = cpu_derivatives_from(problem, derivatives, s);
        if (!valid[s])
            derivative_outside_domain(problem, &one);
        else if (problem->layout.noise.n > 0)
            derivative_set_with_noise(problem, scratch, memory, s, set, &one);
        else if (problem->engine.summation == EQUANT_SUMMATION_COMPENSATED)
            derivative_set_with(problem, scratch, memory, s, set, &one, 1);
        else
            derivative_set_with(problem, scratch, memory, s, set, &one, 0);
    }
}
#endif

extern const cpu_kernels KERNELS;
const cpu_kernels KERNELS = {
    .real_size = sizeof(scalar),
    .wide_size = sizeof(wide_scalar),
    .n_constants = N_CONSTANTS,
    .evaluate = evaluate_tile,
    .solve = kepler_loop,
#if REAL_IS_DOUBLE
    .n_derivative_constants = N_DERIVATIVE_CONSTANTS,
    .differentiate = derivative_tile,
    .noise_general = noise_general,
    .noise_normal = noise_general_normal,
#ifdef NOISE_SPECIAL
    .noise_special = NOISE_SPECIAL,
#endif
#endif
#if WIDE_IS_DOUBLE
    .scan = scan_tile,
    .sky = sky_nodes,
#endif
#if WIDE_IS_DOUBLE && !REAL_IS_DOUBLE
    .fold = fold_bin,
    .n_fold_lanes = F32_LANES,
#endif
};
