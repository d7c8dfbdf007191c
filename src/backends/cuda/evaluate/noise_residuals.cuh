/* What the recursion of correlated noise starts from, in the precision of the translation unit:
 * constants of planets and of noise, then residuals. A thread has one set, and of residuals a few
 * dozen observations of it: few sets fill a GPU, too. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_NOISE_RESIDUALS_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_NOISE_RESIDUALS_CUH

#include "backends/cuda/evaluate/general_velocity.cuh"
#include "physics/chi_square.h"
#include "statistics/packed_noise.h"

#define NOISE_RESIDUAL_THREADS 128
/* Observations of a thread. */
#define NOISE_RESIDUAL_ROWS 64

/* Sets outside the domain get a variance that is no number: so will be all that follows. */
__global__ void __launch_bounds__(NOISE_RESIDUAL_THREADS)
    noise_prepare(const __grid_constant__ cuda_layout layout, size_t n_sets,
                  const double *__restrict__ parameters, double *memory)
{
    size_t s = (size_t)blockIdx.x * NOISE_RESIDUAL_THREADS + threadIdx.x;
    if (s >= n_sets)
        return;
    const noise_places places = noise_places_of(layout, GENERAL_CONSTANTS);
    const double *set = parameters + s * layout.model.n_parameters;
    const parameter_view given = parameter_layout_view(&layout.model, set);
    const general_scratch scratch = {memory + s, n_sets, nullptr};
    noise_process process;
    for (size_t p = 0; p < layout.model.n_planets; p++)
        general_prepare(layout, scratch, p, set + N_ELEMENTS * p);
    noise_terms_expand(&process, &layout.model.noise, given.noise, layout.n_night_places);
    noise_words_write(&layout.noise, &process, &scratch[places.words], n_sets);
    if (!parameter_domain_has(&layout.model, layout.period_floor_days, set))
        scratch[places.words] = NAN;
    for (size_t i = 0; i < layout.n_segments; i++)
        scratch[places.jitters + i] = given.jitters ? given.jitters[i] * given.jitters[i] : 0.0;
}

/* What few planets take: out of line. */
static __device__ __noinline__ real noise_rare_velocity(const cuda_layout &layout, general_way way,
                                                        const planet_constants &c, wide t,
                                                        wide t_low)
{
    return general_velocity(layout, way, c, t, t_low);
}

/* Velocities of one planet at rows first ... first + n - 1 in the order of time, added to v. */
template <bool COMPENSATED, bool RARE>
LANE_FUNCTION void noise_planet(const cuda_layout &layout, const general_way &way,
                                const planet_constants &c, const sine_cosine *sines, size_t first,
                                int n, real *v, real *low)
{
#pragma unroll
    for (int k = 0; k < GENERAL_STRIP; k++) {
        size_t i = layout.noise_rows[first + (k < n ? k : 0)].place_in_arrays;
        wide t = general_time(layout, i), t_low = (wide)layout.time_low[i];
        real before = COMPENSATED ? (real)0 : v[k];
        real sum = RARE ? before + noise_rare_velocity(layout, way, c, t, t_low)
                        : planet_add_ordinary<REAL_IS_DOUBLE>(c, t, t_low, sines, before);
        if (COMPENSATED)
            summation_compensated(&v[k], &low[k], sum);
        else
            v[k] = sum;
    }
}

template <bool COMPENSATED>
__global__ void __launch_bounds__(NOISE_RESIDUAL_THREADS)
    noise_residuals(const __grid_constant__ cuda_layout layout, size_t n_sets,
                    const double *__restrict__ parameters, double *memory, general_way way)
{
#if REAL_IS_DOUBLE
    __shared__ sine_cosine sines[SINE_TABLE_LENGTH];
    sine_table_fill(sines);
    __syncthreads();
#else
    const sine_cosine *sines = nullptr;
#endif
    size_t s = (size_t)blockIdx.x * NOISE_RESIDUAL_THREADS + threadIdx.x;
    if (s >= n_sets)
        return;
    const noise_places places = noise_places_of(layout, GENERAL_CONSTANTS);
    const general_scratch scratch = {memory + s, n_sets, nullptr};
    const parameter_view given =
        parameter_layout_view(&layout.model, parameters + s * layout.model.n_parameters);
    const linear_trend drift = set_given_trend(layout, given);
    size_t begin = (size_t)blockIdx.y * NOISE_RESIDUAL_ROWS, end = begin + NOISE_RESIDUAL_ROWS;
    end = end < layout.n_obs ? end : layout.n_obs;
#pragma unroll 1
    for (size_t first = begin; first < end; first += GENERAL_STRIP) {
        int n = end - first < GENERAL_STRIP ? (int)(end - first) : GENERAL_STRIP;
        real v[GENERAL_STRIP], low[GENERAL_STRIP];
#pragma unroll
        for (int k = 0; k < GENERAL_STRIP; k++)
            v[k] = low[k] = 0;
#pragma unroll 1
        for (size_t p = 0; p < layout.model.n_planets; p++) {
            const planet_constants c = general_load_planet(scratch, p);
            if (way.source == SOURCE_FAST && !c.awkward)
                noise_planet<COMPENSATED, false>(layout, way, c, sines, first, n, v, low);
            else
                noise_planet<COMPENSATED, true>(layout, way, c, sines, first, n, v, low);
        }
#pragma unroll
        for (int k = 0; k < GENERAL_STRIP; k++)
            if (k < n) {
                const cuda_noise_row row = layout.noise_rows[first + k];
                double tau = set_tau(layout, row.place_in_arrays);
                double offset = given.offsets[row.instrument] + drift.value -
                                layout.segments[row.instrument].reference_m_s;
                scratch[places.residuals + first + k] =
                    ((layout.velocity[row.place_in_arrays] - (double)v[k]) - offset) -
                    tau * (drift.slope + drift.curvature * tau);
            }
    }
}

static size_t noise_scratch_words(const cuda_layout *layout)
{
    return noise_places_of(*layout, GENERAL_CONSTANTS).n;
}

static void noise_launch(const cuda_layout *layout, const backend_engine *engine, size_t n_sets,
                         const double *parameters, const cuda_results *results, double *memory,
                         cudaStream_t stream)
{
    const general_way way = general_way_of(planet_source_of(engine), engine);
    const noise_places places = noise_places_of(*layout, GENERAL_CONSTANTS);
    dim3 blocks((unsigned)((n_sets + NOISE_RESIDUAL_THREADS - 1) / NOISE_RESIDUAL_THREADS),
                (unsigned)((layout->n_obs + NOISE_RESIDUAL_ROWS - 1) / NOISE_RESIDUAL_ROWS));
    noise_prepare<<<blocks.x, NOISE_RESIDUAL_THREADS, 0, stream>>>(*layout, n_sets, parameters,
                                                                   memory);
    if (way.compensated)
        noise_residuals<true><<<blocks, NOISE_RESIDUAL_THREADS, 0, stream>>>(
            *layout, n_sets, parameters, memory, way);
    else
        noise_residuals<false><<<blocks, NOISE_RESIDUAL_THREADS, 0, stream>>>(
            *layout, n_sets, parameters, memory, way);
    noise_recursion_launch(layout, &places, n_sets, memory, results, stream);
}

static size_t noise_list(const cuda_layout *layout, const backend_engine *engine,
                         cuda_function *functions)
{
    bool compensated = engine->summation == EQUANT_SUMMATION_COMPENSATED;
    functions[0] = {"noise constants", (const void *)noise_prepare, NOISE_RESIDUAL_THREADS, 0};
    functions[1] = {"residuals",
                    compensated ? (const void *)noise_residuals<true>
                                : (const void *)noise_residuals<false>,
                    NOISE_RESIDUAL_THREADS, 0};
    functions[2] = noise_recursion_function(layout);
    return 3;
}

#endif
