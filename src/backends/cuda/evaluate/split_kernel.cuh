/* The implementation of Ford (2008) in separate functions: mean anomaly, eccentric anomaly,
 * velocity and chi-square, each a kernel that finds its input in device memory and leaves its
 * output there. The three arrays are one, [planet][observation][set], which each kernel
 * overwrites in place; neighbouring threads have neighbouring sets, so that they read and
 * write neighbouring words. Chi-square is that of the general kernel. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_SPLIT_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_SPLIT_KERNEL_CUH

#include "backends/cuda/evaluate/fast_kernel.cuh"
#include "backends/cuda/evaluate/general_kernel.cuh"

#define SPLIT_THREADS 256
/* Observations that a thread takes of a planet whose constants it has loaded. */
#define SPLIT_RUN 32
/* Blocks along planets and along runs; what is left over is taken in turns. */
#define SPLIT_MAX_BLOCKS 1024

static size_t split_words(const cuda_layout *layout)
{
    size_t value_bytes = layout->model.n_planets * layout->n_obs * sizeof(real);
    return general_words(layout) + (value_bytes + sizeof(double) - 1) / sizeof(double);
}

/* Constants of the planets; a set outside the domain is lent harmless circles. */
__global__ void __launch_bounds__(SPLIT_THREADS)
    split_prepare(const __grid_constant__ cuda_layout layout, size_t n_sets,
                  const double *__restrict__ parameters, double *memory)
{
    size_t s = (size_t)blockIdx.x * SPLIT_THREADS + threadIdx.x;
    general_scratch scratch = {memory + s, n_sets, nullptr};
    for (size_t p = blockIdx.y; s < n_sets && p < layout.model.n_planets; p += gridDim.y)
        general_prepare(layout, scratch, p,
                        parameters + s * layout.model.n_parameters + N_ELEMENTS * p);
}

/* Calls change(constants, observation, value) for every value of the thread. */
template <class Change>
LANE_FUNCTION void split_each(const cuda_layout &layout, size_t n_sets, double *memory,
                              Change change)
{
    size_t s = (size_t)blockIdx.x * SPLIT_THREADS + threadIdx.x;
    if (s >= n_sets)
        return;
    general_scratch scratch = {memory + s, n_sets, nullptr};
    real *values = general_values(layout, n_sets, memory) + s;
    for (size_t p = blockIdx.y; p < layout.model.n_planets; p += gridDim.y) {
        planet_constants c = general_load_planet(scratch, p);
        for (size_t first = (size_t)blockIdx.z * SPLIT_RUN; first < layout.n_obs;
             first += (size_t)gridDim.z * SPLIT_RUN) {
            size_t end = first + SPLIT_RUN < layout.n_obs ? first + SPLIT_RUN : layout.n_obs;
            for (size_t i = first; i < end; i++)
                change(c, i, values[(p * layout.n_obs + i) * n_sets]);
        }
    }
}

__global__ void __launch_bounds__(SPLIT_THREADS)
    split_mean_anomaly(const __grid_constant__ cuda_layout layout, size_t n_sets, double *memory)
{
    split_each(layout, n_sets, memory, [&](const planet_constants &c, size_t i, real &value) {
        value = planet_mean_anomaly(c, FAST_TIMES(layout)[i], (wide)layout.time_low[i]);
    });
}

/* E in [0, pi] for M there. */
template <int SOURCE>
LANE_FUNCTION real split_solve(const cuda_layout &layout, const planet_constants &c, real M)
{
    kepler_point point;
    if (SOURCE != SOURCE_FAST)
        return kepler_danby(planet_danby_guess<SOURCE>(layout.guess_texture, M, c.e), M, c.e,
                            c.one_minus_e, (real)layout.danby_tolerance,
                            layout.danby_max_iterations, &point);
    real guess = c.e > REAL(STARTER_ECCENTRICITY_MAX)
                     ? (real)starter_cubic((f32)M, (f32)c.e, (f32)c.one_minus_e)
                     : (real)starter_polynomial((f32)M, c.steepness, c.origin, c.starter);
    real E_minus_sin, one_minus_cos;
    sin_cos_versed(guess, &E_minus_sin, &one_minus_cos);
    point =
        kepler_correct(guess, E_minus_sin, one_minus_cos, M, c.e, c.e * REAL(0.5), c.one_minus_e);
    return guess + point.correction;
}

template <int SOURCE>
__global__ void __launch_bounds__(SPLIT_THREADS)
    split_eccentric_anomaly(const __grid_constant__ cuda_layout layout, size_t n_sets,
                            double *memory)
{
    split_each(layout, n_sets, memory, [&](const planet_constants &c, size_t, real &value) {
        value = lane_flip_sign(split_solve<SOURCE>(layout, c, lane_abs(value)), value);
    });
}

__global__ void __launch_bounds__(SPLIT_THREADS)
    split_velocity(const __grid_constant__ cuda_layout layout, size_t n_sets, double *memory)
{
    split_each(layout, n_sets, memory, [&](const planet_constants &c, size_t, real &value) {
        real E = lane_abs(value), E_minus_sin, one_minus_cos;
        sin_cos_versed(E, &E_minus_sin, &one_minus_cos);
        kepler_point point = {E - E_minus_sin, one_minus_cos, 0};
        value = radial_velocity(point, value, c.e, c.one_minus_e, c.A, c.B);
    });
}

using split_pointer = void (*)(cuda_layout, size_t, double *);

static split_pointer split_solver_of(const backend_engine *engine)
{
    switch (planet_source_of(engine)) {
    case SOURCE_FAST:
        return split_eccentric_anomaly<SOURCE_FAST>;
    case SOURCE_DANBY:
        return split_eccentric_anomaly<SOURCE_DANBY>;
    default:
        return split_eccentric_anomaly<SOURCE_TABULATED>;
    }
}

static unsigned split_blocks(size_t n, size_t each)
{
    size_t blocks = (n + each - 1) / each;
    return (unsigned)(blocks < 1 ? 1 : blocks < SPLIT_MAX_BLOCKS ? blocks : SPLIT_MAX_BLOCKS);
}

static void split_launch(const cuda_layout *layout, const backend_engine *engine, size_t n_sets,
                         const double *parameters, const cuda_results *results, double *memory,
                         cudaStream_t stream)
{
    unsigned along_sets = (unsigned)((n_sets + SPLIT_THREADS - 1) / SPLIT_THREADS);
    dim3 planets(along_sets, split_blocks(layout->model.n_planets, 1));
    dim3 values(along_sets, planets.y, split_blocks(layout->n_obs, SPLIT_RUN));
    auto eccentric_anomaly = split_solver_of(engine);
    split_prepare<<<planets, SPLIT_THREADS, 0, stream>>>(*layout, n_sets, parameters, memory);
    split_mean_anomaly<<<values, SPLIT_THREADS, 0, stream>>>(*layout, n_sets, memory);
    eccentric_anomaly<<<values, SPLIT_THREADS, 0, stream>>>(*layout, n_sets, memory);
    split_velocity<<<values, SPLIT_THREADS, 0, stream>>>(*layout, n_sets, memory);
    general_launch(layout, general_way_of(SOURCE_MEMORY, engine), n_sets, parameters, results,
                   memory, stream);
}

static size_t split_list(const backend_engine *engine, cuda_function *functions)
{
    size_t n = 0;
    functions[n++] = {"planet constants", (const void *)split_prepare, SPLIT_THREADS, 0};
    functions[n++] = {"mean anomaly", (const void *)split_mean_anomaly, SPLIT_THREADS, 0};
    functions[n++] = {"eccentric anomaly", (const void *)split_solver_of(engine), SPLIT_THREADS, 0};
    functions[n++] = {"velocity", (const void *)split_velocity, SPLIT_THREADS, 0};
    functions[n++] = {"chi-square", (const void *)general_kernel, GENERAL_THREADS, 0};
    return n;
}

#endif
