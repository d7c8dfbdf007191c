/* The fast kernel, for the fast solver, plain sums and models whose only linear parameters
 * are offsets, given or solved.
 *
 * A block first prepares the constants of all planets of its parameter sets, a planet per
 * thread, in shared memory. Then a group of 2 to 16 neighbouring threads shares a set: each
 * member holds the velocities of eight observations while it goes through the planets, whose
 * constants all members read together, and sums meet at the end. The size of the group
 * follows from the number of observations alone, so a result does not depend on the batch;
 * and a thousand sets already fill a large card. */
#ifndef EQUANT_BACKENDS_CUDA_FAST_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_FAST_KERNEL_CUH

#include "backends/cuda/planet.cuh"
#include "physics/chi_square.h"

#define FAST_THREADS 128
/* Blocks of a multiprocessor: registers for many chains of operations count for more than threads.
 */
#define FAST_BLOCKS (REAL_IS_DOUBLE ? 3 : 5)
/* Observations whose velocities a thread holds. */
#define FAST_BLOCK 8
/* Threads that share a set, unless observations are few. */
#define FAST_GROUP (REAL_IS_DOUBLE ? 16 : 8)
/* Parameter sets of a block, at most: enough that all its threads have planets to prepare. */
#define FAST_MAX_SETS 32
#define FAST_SHARED_BYTES 40960

/* Nothing is converted in the loops: the unit that converts is the one of special functions. */
#if REAL_IS_DOUBLE
#define FAST_VELOCITIES(layout) ((layout).velocity)
#else
#define FAST_VELOCITIES(layout) ((layout).velocity_single)
#endif
#if WIDE_IS_DOUBLE
#define FAST_TIMES(layout) ((layout).time)
#else
#define FAST_TIMES(layout) ((layout).time_single)
#endif

/* Constants of one planet of a set. Outside the domain a harmless circle is lent to the
 * arithmetic. */
LANE_FUNCTION planet_constants fast_prepare(const cuda_layout &layout, const double *given)
{
    double elements[5] = {1.0, 0.0, 0.0, 0.0, 0.0};
    bool inside = planet_inside_domain(layout, given);
    for (int k = 0; inside && k < 5; k++)
        elements[k] = given[k];
    planet_constants prepared = planet_prepare(layout, elements);
    prepared.inside = inside;
    return prepared;
}

/* The sum over a group, in the same order for every member. */
template <int GROUP> LANE_FUNCTION double fast_sum(double mine)
{
#pragma unroll
    for (int distance = GROUP / 2; distance > 0; distance /= 2)
        mine += __shfl_xor_sync(0xffffffffu, mine, distance);
    return mine;
}

/* Velocities of all planets at observations first, first + GROUP, ... */
template <int GROUP, bool AWKWARD>
LANE_FUNCTION void fast_velocities(const cuda_layout &layout, const planet_constants *planets,
                                   int first, const sine_pair *sines, real *v)
{
#pragma unroll
    for (int u = 0; u < FAST_BLOCK; u++)
        v[u] = 0;
#pragma unroll 1
    for (int p = 0; p < (int)layout.n_planets; p++) {
        const planet_constants c = planets[p];
#pragma unroll
        for (int u = 0; u < FAST_BLOCK; u++) {
            wide t = FAST_TIMES(layout)[first + u * GROUP];
            wide t_low = WIDE_IS_PAIR ? (wide)layout.time_low[first + u * GROUP] : (wide)0;
            v[u] = AWKWARD ? planet_add<true>(c, t, t_low, sines, v[u])
                           : planet_add_ordinary<true>(c, t, t_low, sines, v[u]);
        }
    }
}

/* Weighted sums of the residuals of one instrument over the group. Arrays are padded past
 * their end, and what lies beyond the instrument has no weight. */
template <int GROUP>
LANE_FUNCTION void fast_sums(const cuda_layout &layout, const planet_constants *planets,
                             bool awkward, const cuda_segment &segment, real offset, int member,
                             const sine_pair *sines, double *sum, double *sum_of_squares)
{
    double wr_sum = 0.0, wrr_sum = 0.0;
    int end = (int)segment.end;
#pragma unroll 1
    for (int first = (int)segment.first + member; first - member < end;
         first += FAST_BLOCK * GROUP) {
        real v[FAST_BLOCK];
        if (awkward)
            fast_velocities<GROUP, true>(layout, planets, first, sines, v);
        else
            fast_velocities<GROUP, false>(layout, planets, first, sines, v);
#pragma unroll
        for (int u = 0; u < FAST_BLOCK; u++) {
            int k = first + u * GROUP;
            double w = k < end ? layout.weight[k] : 0.0;
            double r = (double)((FAST_VELOCITIES(layout)[k] - v[u]) - offset), wr = w * r;
            wr_sum += wr;
            wrr_sum = lane_fma(wr, r, wrr_sum);
        }
    }
    *sum = fast_sum<GROUP>(wr_sum);
    *sum_of_squares = fast_sum<GROUP>(wrr_sum);
}

/* One parameter set by one group; the first member writes, if the set exists. */
template <int GROUP>
LANE_FUNCTION void fast_set(const cuda_layout &layout, const planet_constants *planets,
                            const sine_pair *sines, const double *set, size_t s, int member,
                            bool writes, const cuda_results &results)
{
    bool inside = true, awkward = false;
    for (int p = 0; p < (int)layout.n_planets; p++) {
        inside = inside && planets[p].inside;
        awkward = awkward || planets[p].awkward;
    }
    double chi2 = 0.0, log_variances = 0.0;
    for (int i = 0; i < (int)layout.n_segments; i++) {
        const cuda_segment segment = layout.segments[i];
        double given = layout.offsets_given ? set[5 * layout.n_planets + i] : segment.reference_m_s;
        inside = inside && isfinite(given);
        double sum, sum_of_squares;
        fast_sums<GROUP>(layout, planets, awkward, segment, (real)(given - segment.reference_m_s),
                         member, sines, &sum, &sum_of_squares);
        double mean = !layout.offsets_given && segment.weights > 0.0 ? sum / segment.weights : 0.0;
        chi2 += sum_of_squares - mean * sum;
        log_variances += segment.log_variances;
        if (results.linear && writes)
            results.linear[s * layout.n_linear + i] = given + mean;
    }
    if (!writes)
        return;
    inside = inside && !isnan(chi2);
    chi2 = inside ? fmax(chi2, 0.0) : INFINITY; /* a difference, so it may round below */
    for (size_t i = 0; results.linear && !inside && i < layout.n_linear; i++)
        results.linear[s * layout.n_linear + i] = NAN;
    if (results.chi_square)
        results.chi_square[s] = chi2;
    if (results.log_likelihood)
        results.log_likelihood[s] =
            chi_square_log_likelihood(chi2, log_variances, (double)layout.n_obs);
}

template <int GROUP>
__global__ void __launch_bounds__(FAST_THREADS, FAST_BLOCKS)
    fast_kernel(const __grid_constant__ cuda_layout layout, size_t n_sets, int sets_per_block,
                const double *__restrict__ parameters, const __grid_constant__ cuda_results results)
{
    extern __shared__ __align__(16) unsigned char shared[];
    planet_constants *planets = (planet_constants *)shared;
#if REAL_IS_DOUBLE
    __shared__ sine_pair sines[SINE_TABLE_LENGTH];
    sine_table_fill(sines);
#else
    const sine_pair *sines = nullptr;
#endif
    size_t first = (size_t)blockIdx.x * sets_per_block;
    int n_here = n_sets - first < sets_per_block ? (int)(n_sets - first) : sets_per_block;
    int n_planets = (int)layout.n_planets;
    for (int i = threadIdx.x; i < n_here * n_planets; i += FAST_THREADS) {
        int j = i / n_planets, p = i - j * n_planets;
        planets[i] = fast_prepare(layout, parameters + (first + j) * layout.n_parameters + 5 * p);
    }
    __syncthreads();
    int group = threadIdx.x / GROUP, member = threadIdx.x % GROUP;
    for (int round = 0; round < n_here; round += FAST_THREADS / GROUP) {
        int j = round + group < n_here ? round + group : n_here - 1;
        fast_set<GROUP>(layout, planets + j * n_planets, sines,
                        parameters + (first + j) * layout.n_parameters, first + j, member,
                        round + group < n_here && member == 0, results);
    }
}

/* Bytes of shared memory for the planets of one set. */
static size_t fast_set_bytes(const cuda_layout *layout)
{
    return sizeof(planet_constants) * (layout->n_planets > 0 ? layout->n_planets : 1);
}

/* Whole rounds of groups; fewer sets in each block when there are few of them. */
static int fast_sets_per_block(const cuda_layout *layout, int group, size_t n_sets)
{
    const int per_round = FAST_THREADS / group;
    int fits = (int)(FAST_SHARED_BYTES / fast_set_bytes(layout));
    int most = fits < FAST_MAX_SETS ? fits : FAST_MAX_SETS;
    return n_sets < (size_t)FAST_MAX_SETS * 1024 && per_round < most ? per_round : most;
}

static int fast_group_of(const cuda_layout *layout)
{
    return layout->n_obs / layout->n_segments > 4 * FAST_BLOCK ? FAST_GROUP : 2;
}

static void fast_launch(const cuda_layout *layout, size_t n_sets, const double *parameters,
                        const cuda_results *results, cudaStream_t stream)
{
    int group = fast_group_of(layout), sets = fast_sets_per_block(layout, group, n_sets);
    unsigned n_blocks = (unsigned)((n_sets + sets - 1) / sets);
    auto kernel = group == 2 ? fast_kernel<2> : fast_kernel<FAST_GROUP>;
    kernel<<<n_blocks, FAST_THREADS, sets * fast_set_bytes(layout), stream>>>(*layout, n_sets, sets,
                                                                              parameters, *results);
}

static size_t fast_list(const cuda_layout *layout, cuda_function *functions)
{
    int group = fast_group_of(layout);
    auto kernel = group == 2 ? fast_kernel<2> : fast_kernel<FAST_GROUP>;
    functions[0] = {"fused, fast", (const void *)kernel, FAST_THREADS,
                    fast_sets_per_block(layout, group, SIZE_MAX) * fast_set_bytes(layout)};
    return 1;
}

static bool fast_serves(const cuda_layout *layout, const backend_engine *engine)
{
    return engine->implementation == EQUANT_IMPLEMENTATION_FUSED &&
           engine->solver == EQUANT_SOLVER_FAST && engine->summation == EQUANT_SUMMATION_PLAIN &&
           layout->trend_order == 0 && !layout->with_jitter &&
           layout->n_planets * sizeof(planet_constants) <= FAST_SHARED_BYTES;
}

#endif
