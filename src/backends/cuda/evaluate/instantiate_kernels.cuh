/* Turns the precision included before it into one table of kernels, KERNELS. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backends/cuda/evaluate/noise_layout.cuh"
#include "backends/cuda/layout.h"

/* Each precision has kernels of the same names: they must not meet in the linker. */
namespace
{
#include "backends/cuda/evaluate/fast_kernel.cuh"
#include "backends/cuda/evaluate/general_kernel.cuh"
#include "backends/cuda/evaluate/kepler_kernel.cuh"
#include "backends/cuda/evaluate/noise_residuals.cuh"
#include "backends/cuda/evaluate/split_kernel.cuh"
} // namespace

static bool is_split(const backend_engine *engine)
{
    return engine->implementation == EQUANT_IMPLEMENTATION_SPLIT;
}

/* Velocities and residuals are the general kernel's. What is beside them comes from the kernel
 * that would make it alone, so that no result depends on what else was asked for. */
static bool wants_velocities(const cuda_results *results)
{
    return results->velocities || results->residuals;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t scratch_words(const cuda_layout *layout, const backend_engine *engine,
                            const cuda_results *results)
{
    if (layout->model.noise.n > 0)
        return larger(noise_scratch_words(layout), general_words(layout));
    if (is_split(engine))
        return split_words(layout);
    return fast_serves(layout, engine) && !wants_velocities(results) ? 0 : general_words(layout);
}

static void evaluate(const cuda_layout *layout, const backend_engine *engine, size_t n_sets,
                     const double *parameters, const cuda_results *results, double *scratch,
                     void *stream)
{
    cuda_results rest = *results;
    if (layout->model.noise.n > 0) {
        noise_launch(layout, engine, n_sets, parameters, results, scratch, (cudaStream_t)stream);
        rest.chi_square = rest.log_likelihood = nullptr;
        if (wants_velocities(&rest) || rest.linear)
            general_launch(layout, general_way_of(planet_source_of(engine), engine), n_sets,
                           parameters, &rest, scratch, (cudaStream_t)stream);
        return;
    }
    if (is_split(engine)) {
        split_launch(layout, engine, n_sets, parameters, results, scratch, (cudaStream_t)stream);
        return;
    }
    if (fast_serves(layout, engine)) {
        if (results->chi_square || results->log_likelihood || results->linear)
            fast_launch(layout, n_sets, parameters, results, (cudaStream_t)stream);
        rest.chi_square = rest.log_likelihood = rest.linear = nullptr;
        if (!wants_velocities(results))
            return;
    }
    general_launch(layout, general_way_of(planet_source_of(engine), engine), n_sets, parameters,
                   &rest, scratch, (cudaStream_t)stream);
}

/* Those of the general kernel have the number one, the others that of threads of a group. */
static int list_kind(const cuda_layout *layout, const backend_engine *engine)
{
    if (layout->model.noise.n > 0 || is_split(engine) || layout->guess_texture != 0)
        return 0;
    return fast_serves(layout, engine) ? fast_group_of(layout) : 1;
}

static void evaluate_list(const cuda_layout *any, const backend_engine *engine,
                          const cuda_list *list, const double *parameters,
                          const cuda_results *results, double *scratch, void *stream)
{
    if (fast_serves(any, engine))
        fast_list_launch(any, list, parameters, results, (cudaStream_t)stream);
    else
        general_list_launch(list, general_way_of(planet_source_of(engine), engine), parameters,
                            results, scratch, (cudaStream_t)stream);
}

static void solve(const backend_engine *engine, unsigned long long guess_texture, size_t n,
                  const double *M, const double *e, double *E, double *sine, double *cosine,
                  void *stream)
{
    kepler_launch(engine, guess_texture, n, M, e, E, sine, cosine, (cudaStream_t)stream);
}

static size_t list(const cuda_layout *layout, const backend_engine *engine,
                   cuda_function functions[CUDA_MAX_FUNCTIONS])
{
    if (layout->model.noise.n > 0)
        return noise_list(layout, engine, functions);
    return is_split(engine)              ? split_list(engine, functions)
           : fast_serves(layout, engine) ? fast_list(layout, functions)
                                         : general_list(functions);
}

extern "C" const cuda_kernels KERNELS = {scratch_words, evaluate, list_kind,
                                         evaluate_list, solve,    list};
