/* Turns the precision included before it into one table of kernels, KERNELS. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "backends/cuda/layout.h"

/* Each precision has kernels of the same names: they must not meet in the linker. */
namespace
{
#include "backends/cuda/fast_kernel.cuh"
#include "backends/cuda/general_kernel.cuh"
#include "backends/cuda/pair_kernel.cuh"
} // namespace

static void evaluate(const cuda_layout *layout, const backend_engine *engine, size_t n_sets,
                     const double *parameters, const cuda_results *results, double *scratch,
                     void *stream)
{
    bool fast = fast_serves(layout, engine) && !results->velocities && !results->residuals;
    if (fast)
        fast_launch(layout, n_sets, parameters, results, (cudaStream_t)stream);
    else
        general_launch(layout, engine, n_sets, parameters, results, scratch, (cudaStream_t)stream);
}

static void solve(const backend_engine *engine, size_t n, const double *M, const double *e,
                  double *E, double *sine, double *cosine, void *stream)
{
    pair_launch(engine, n, M, e, E, sine, cosine, (cudaStream_t)stream);
}

extern "C" const cuda_kernels KERNELS = {GENERAL_CONSTANTS, evaluate, solve};
