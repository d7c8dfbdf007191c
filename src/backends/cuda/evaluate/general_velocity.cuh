/* Velocities for the general kernel: of all planets of a set at a few observations, in whatever
 * way was asked for. The way is chosen at run time, for all threads alike: a kernel for each
 * would take minutes to compile. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_GENERAL_VELOCITY_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_GENERAL_VELOCITY_CUH

#include "backends/cuda/evaluate/fast_kernel.cuh"
#include "backends/cuda/evaluate/planet.cuh"

/* Observations whose velocities a thread holds while it goes through the planets. */
#define GENERAL_STRIP 8
/* Words of a planet in working memory. */
#define GENERAL_CONSTANTS ((sizeof(planet_constants) + sizeof(double) - 1) / sizeof(double))

/* The working memory of one thread, and the velocities that other kernels left for it,
 * [planet][observation][set]. */
struct general_scratch {
    double *words;
    size_t stride;
    const real *velocities;
    __device__ double &operator[](size_t i) const
    {
        return words[i * stride];
    }
};

/* Doubles that one set takes of the working memory. */
static size_t general_words(const cuda_layout *layout)
{
    return GENERAL_CONSTANTS * layout->model.n_planets + 3 * layout->n_segments;
}

/* What lies behind the words of all sets: room for values of planets at observations. */
LANE_FUNCTION real *general_values(const cuda_layout &layout, size_t n_sets, double *memory)
{
    size_t words = GENERAL_CONSTANTS * layout.model.n_planets + 3 * layout.n_segments;
    return (real *)(memory + words * n_sets);
}

/* Constants of one planet. Out of line: once for each planet, and long. */
static __device__ __noinline__ void general_prepare(const cuda_layout &layout,
                                                    const general_scratch &scratch, size_t p,
                                                    const double *elements)
{
    planet_constants constants = fast_prepare(layout, elements);
    double words[GENERAL_CONSTANTS] = {};
    memcpy(words, &constants, sizeof constants);
    for (size_t i = 0; i < GENERAL_CONSTANTS; i++)
        scratch[p * GENERAL_CONSTANTS + i] = words[i];
}

LANE_FUNCTION planet_constants general_load_planet(const general_scratch &scratch, size_t p)
{
    double words[GENERAL_CONSTANTS];
    planet_constants constants;
    for (size_t i = 0; i < GENERAL_CONSTANTS; i++)
        words[i] = scratch[p * GENERAL_CONSTANTS + i];
    memcpy(&constants, words, sizeof constants);
    return constants;
}

/* The way to the velocities of planets, and how they and chi-square are summed. */
struct general_way {
    planet_source source;
    bool compensated;
};

LANE_FUNCTION wide general_time(const cuda_layout &layout, size_t i)
{
    return WIDE_IS_DOUBLE ? (wide)layout.time[i] : (wide)layout.time_single[i];
}

/* The velocity of one planet by any way but from memory. */
LANE_FUNCTION real general_velocity(const cuda_layout &layout, const general_way &way,
                                    const planet_constants &c, wide t, wide t_low)
{
    if (way.source == SOURCE_FAST)
        return planet_add<false>(c, t, t_low, nullptr, 0);
    real M = planet_mean_anomaly(c, t, t_low), M_abs = lane_abs(M);
    real guess = way.source == SOURCE_TABULATED
                     ? planet_danby_guess<SOURCE_TABULATED>(layout.guess_texture, M_abs, c.e)
                     : planet_danby_guess<SOURCE_DANBY>(0, M_abs, c.e);
    kepler_point point;
    kepler_danby(guess, M_abs, c.e, c.one_minus_e, (real)layout.danby_tolerance,
                 layout.danby_max_iterations, &point);
    return radial_velocity(point, M, c.e, c.one_minus_e, c.A, c.B);
}

/* Velocities of planet p at observations first ... first + n - 1. What every orbit takes is
 * unrolled, so that observations overlap; what few take, or what is there for comparison, is
 * one loop. */
LANE_FUNCTION void general_planet(const cuda_layout &layout, const general_scratch &scratch,
                                  const general_way &way, size_t p, size_t first, int n, real *v)
{
    if (way.source == SOURCE_MEMORY) {
        const real *stored = scratch.velocities + (p * layout.n_obs + first) * scratch.stride;
#pragma unroll
        for (int k = 0; k < GENERAL_STRIP; k++)
            v[k] = stored[(k < n ? k : 0) * scratch.stride];
        return;
    }
    const planet_constants c = general_load_planet(scratch, p);
    if (way.source == SOURCE_FAST && !c.awkward) {
#pragma unroll
        for (int k = 0; k < GENERAL_STRIP; k++) {
            size_t i = first + (k < n ? k : 0);
            v[k] = planet_add_ordinary<false>(c, general_time(layout, i), (wide)layout.time_low[i],
                                              nullptr, 0);
        }
        return;
    }
#pragma unroll 1
    for (int k = 0; k < n; k++)
        v[k] = general_velocity(layout, way, c, general_time(layout, first + k),
                                (wide)layout.time_low[first + k]);
}

/* Velocities of all planets together. Out of line: sums and predictions both need them. */
static __device__ __noinline__ void general_velocities(const cuda_layout &layout,
                                                       general_scratch scratch, general_way way,
                                                       size_t first, int n, real *v)
{
    real low[GENERAL_STRIP], planet[GENERAL_STRIP];
    for (int k = 0; k < GENERAL_STRIP; k++)
        v[k] = low[k] = planet[k] = 0;
    for (size_t p = 0; p < layout.model.n_planets; p++) {
        general_planet(layout, scratch, way, p, first, n, planet);
#pragma unroll
        for (int k = 0; k < GENERAL_STRIP; k++)
            if (way.compensated)
                summation_compensated(&v[k], &low[k], planet[k]);
            else
                v[k] += planet[k];
    }
}

#endif
