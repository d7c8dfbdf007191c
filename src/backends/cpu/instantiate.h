/* Turns the lanes included before it into one table of kernels, KERNELS. */
#include <string.h>

#include "backends/cpu/kernels.h"
#include "backends/cpu/planet_tile.h"
#include "backends/cpu/velocity_loop.h"
#include "backends/cpu/fit_loop.h"
#include "backends/cpu/kepler_loop.h"
#include "backends/cpu/noise_tile.h"
#include "backends/cpu/scan_loop.h"
#if REAL_IS_DOUBLE
#include "backends/cpu/derivative_loop.h"
#include "backends/cpu/noise_derivative.h"
#include "backends/cpu/noise_loop.h"
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
            noise_derivative_set(problem, scratch, memory, s, set, &one);
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
    .noise_loop = noise_loop,
    .noise_normal = noise_loop_normal,
#endif
    .scan = scan_tile,
};
