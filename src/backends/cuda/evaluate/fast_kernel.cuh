/* The fast kernel, for the fast solver, plain sums and models that solve for offsets at most.
 *
 * A block first prepares the constants of all planets of its parameter sets, a planet per
 * thread, in shared memory. Then a group of 2 to 16 neighbouring threads shares a set: each
 * member holds the velocities of eight observations while it goes through the planets, whose
 * constants all members read together, and sums meet at the end. The size of the group
 * follows from the number of observations alone, so a result does not depend on the batch;
 * and a thousand sets already fill a large card.
 *
 * NOISY kernels know jitters and a trend that is given: what samplers ask for. The others have
 * nothing to do but planets and offsets. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_FAST_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_FAST_KERNEL_CUH

#include "backends/cuda/evaluate/parameter_set.cuh"
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
/* What may be left of a sum of squares when the mean is taken out, before it is too little. */
#define FAST_CANCELLED (1.0 / 1024.0)

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
    double elements[N_ELEMENTS] = {1.0, 0.0, 0.0, 0.0, 0.0};
    bool inside = parameter_domain_has_orbit(given, layout.period_floor_days);
    for (int k = 0; inside && k < N_ELEMENTS; k++)
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
                                   int first, const sine_cosine *sines, real *v)
{
#pragma unroll
    for (int u = 0; u < FAST_BLOCK; u++)
        v[u] = 0;
#pragma unroll 1
    for (int p = 0; p < (int)layout.model.n_planets; p++) {
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

/* What is taken from the velocities of one instrument beside planets, and added to the
 * variances. */
struct fast_nuisance {
    double offset, jitter;
    double trend[2]; /* in the scaled time of set_tau */
};

/* Weighted sums of the residuals r of one instrument, w their weights. */
struct fast_sums {
    double w, wr, wrr, log_variances;
};

/* What one observation adds; one beyond the end has no weight and a variance of one. */
LANE_FUNCTION void fast_add_noisy(const cuda_layout &layout, const fast_nuisance &nuisance, int k,
                                  bool counts, real v, fast_sums *sums, log_product *variances)
{
    double tau = set_tau(layout, k), known = layout.variance[k];
    double r =
        (double)chi_square_residual(FAST_VELOCITIES(layout)[k], v, (real)nuisance.offset, (real)tau,
                                    (real)nuisance.trend[0], (real)nuisance.trend[1]);
    double w = counts ? (double)chi_square_weight((real)known, (real)nuisance.jitter) : 0.0;
    double wr = w * r;
    sums->w += w;
    sums->wr += wr;
    sums->wrr = lane_fma(wr, r, sums->wrr);
    log_product_multiply(variances,
                         counts ? lane_fma(nuisance.jitter, nuisance.jitter, known) : 1.0);
}

/* Sums over the group. Arrays are padded past their end. */
template <int GROUP, bool NOISY>
LANE_FUNCTION fast_sums fast_instrument(const cuda_layout &layout, const planet_constants *planets,
                                        bool awkward, const cuda_segment &segment,
                                        const fast_nuisance &nuisance, int member,
                                        const sine_cosine *sines)
{
    fast_sums sums = {0.0, 0.0, 0.0, 0.0};
    log_product variances = {1.0, 0.0};
    const real offset = (real)nuisance.offset;
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
            if (NOISY) {
                fast_add_noisy(layout, nuisance, k, k < end, v[u], &sums, &variances);
                continue;
            }
            double w = k < end ? layout.weight[k] : 0.0;
            double r = (double)((FAST_VELOCITIES(layout)[k] - v[u]) - offset), wr = w * r;
            sums.wr += wr;
            sums.wrr = lane_fma(wr, r, sums.wrr);
        }
    }
    sums.wr = fast_sum<GROUP>(sums.wr);
    sums.wrr = fast_sum<GROUP>(sums.wrr);
    sums.w = NOISY ? fast_sum<GROUP>(sums.w) : segment.weights;
    sums.log_variances =
        NOISY ? fast_sum<GROUP>(log_product_logarithm(variances.mantissa, variances.exponent))
              : segment.log_variances;
    return sums;
}

/* What is written behind the offsets that fast_set has written. */
LANE_FUNCTION void fast_write(const cuda_layout &layout, const parameter_view &given, size_t s,
                              bool inside, double chi2, double log_variances,
                              const cuda_results &results)
{
    double *linear = results.linear ? results.linear + s * layout.model.n_linear : nullptr;
    chi2 = inside ? fmax(chi2, 0.0) : INFINITY; /* a difference, so it may round below */
    for (int j = 0; linear && j < layout.model.trend_order; j++)
        linear[layout.n_segments + j] = given.trend[j];
    for (size_t i = 0; linear && !inside && i < layout.model.n_linear; i++)
        linear[i] = NAN;
    if (results.chi_square)
        results.chi_square[s] = chi2;
    if (results.log_likelihood)
        results.log_likelihood[s] =
            chi_square_log_likelihood(chi2, log_variances, (double)layout.n_obs);
}

/* One parameter set by one group; the first member writes, if the set exists.
 *
 * A planet whose velocity is large and hardly changes leaves chi-square to a difference of large
 * numbers, where the offset is solved for: residuals are then summed again from their mean. Warps
 * sum together, so they go round again together; a set that need not finds the same sums. */
template <int GROUP, bool NOISY>
LANE_FUNCTION void fast_set(const cuda_layout &layout, const planet_constants *planets,
                            const sine_cosine *sines, const double *set, size_t s, int member,
                            bool writes, const cuda_results &results)
{
    bool inside = parameter_domain_has_rest(&layout.model, set), awkward = false;
    for (int p = 0; p < (int)layout.model.n_planets; p++) {
        inside = inside && planets[p].inside;
        awkward = awkward || planets[p].awkward;
    }
    const parameter_view given = NOISY ? parameter_layout_walk(&layout.model, set)
                                       : parameter_layout_view(&layout.model, set);
    linear_trend trend = {0.0, 0.0, 0.0};
    if (NOISY)
        trend = set_given_trend(layout, given);
    double chi2 = 0.0, log_variances = 0.0;
    for (int i = 0; i < (int)layout.n_segments; i++) {
        const cuda_segment segment = layout.segments[i];
        const bool solves = !given.offsets;
        double level = solves ? segment.reference_m_s : given.offsets[i] + trend.value;
        double jitter = NOISY && given.jitters ? given.jitters[i] : 0.0, mean = 0.0;
        fast_sums sums;
#pragma unroll 1
        for (int pass = 0; pass < 2; pass++) {
            sums = fast_instrument<GROUP, NOISY>(
                layout, planets, awkward, segment,
                {level - segment.reference_m_s, jitter, {trend.slope, trend.curvature}}, member,
                sines);
            mean = solves && sums.w > 0.0 ? sums.wr / sums.w : 0.0;
            bool cancels = sums.wrr - mean * sums.wr < FAST_CANCELLED * sums.wrr;
            if (pass > 0 || !__any_sync(0xffffffffu, cancels))
                break;
            level += cancels ? mean : 0.0;
        }
        chi2 += sums.wrr - mean * sums.wr;
        log_variances += sums.log_variances;
        if (results.linear && writes)
            results.linear[s * layout.model.n_linear + i] =
                solves ? level + mean - trend.value : given.offsets[i];
    }
    if (writes)
        fast_write(layout, given, s, inside && !isnan(chi2), chi2, log_variances, results);
}

template <int GROUP, bool NOISY>
__global__ void __launch_bounds__(FAST_THREADS, FAST_BLOCKS)
    fast_kernel(const __grid_constant__ cuda_layout layout, size_t n_sets, int sets_per_block,
                const double *__restrict__ parameters, const __grid_constant__ cuda_results results)
{
    extern __shared__ __align__(16) unsigned char shared[];
    planet_constants *planets = (planet_constants *)shared;
#if REAL_IS_DOUBLE
    __shared__ sine_cosine sines[SINE_TABLE_LENGTH];
    sine_table_fill(sines);
#else
    const sine_cosine *sines = nullptr;
#endif
    size_t first = (size_t)blockIdx.x * sets_per_block;
    int n_here = n_sets - first < sets_per_block ? (int)(n_sets - first) : sets_per_block;
    int n_planets = (int)layout.model.n_planets;
    for (int i = threadIdx.x; i < n_here * n_planets; i += FAST_THREADS) {
        int j = i / n_planets, p = i - j * n_planets;
        planets[i] = fast_prepare(layout, parameters + (first + j) * layout.model.n_parameters +
                                              N_ELEMENTS * p);
    }
    __syncthreads();
    int group = threadIdx.x / GROUP, member = threadIdx.x % GROUP;
    for (int round = 0; round < n_here; round += FAST_THREADS / GROUP) {
        int j = round + group < n_here ? round + group : n_here - 1;
        fast_set<GROUP, NOISY>(layout, planets + j * n_planets, sines,
                               parameters + (first + j) * layout.model.n_parameters, first + j,
                               member, round + group < n_here && member == 0, results);
    }
}

/* Bytes of shared memory for the planets of one set. */
static size_t fast_set_bytes(const cuda_layout *layout)
{
    return sizeof(planet_constants) * (layout->model.n_planets > 0 ? layout->model.n_planets : 1);
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

using fast_pointer = void (*)(const cuda_layout, size_t, int, const double *, const cuda_results);

static fast_pointer fast_choose(const cuda_layout *layout, int group)
{
    if (parameter_layout_has_noise(&layout->model) || layout->model.trend_order > 0)
        return group == 2 ? fast_kernel<2, true> : fast_kernel<FAST_GROUP, true>;
    return group == 2 ? fast_kernel<2, false> : fast_kernel<FAST_GROUP, false>;
}

static void fast_launch(const cuda_layout *layout, size_t n_sets, const double *parameters,
                        const cuda_results *results, cudaStream_t stream)
{
    int group = fast_group_of(layout), sets = fast_sets_per_block(layout, group, n_sets);
    unsigned n_blocks = (unsigned)((n_sets + sets - 1) / sets);
    fast_choose(layout, group)<<<n_blocks, FAST_THREADS, sets * fast_set_bytes(layout), stream>>>(
        *layout, n_sets, sets, parameters, *results);
}

static size_t fast_list(const cuda_layout *layout, cuda_function *functions)
{
    int group = fast_group_of(layout);
    functions[0] = {"fused, fast", (const void *)fast_choose(layout, group), FAST_THREADS,
                    fast_sets_per_block(layout, group, SIZE_MAX) * fast_set_bytes(layout)};
    return 1;
}

static bool fast_serves(const cuda_layout *layout, const backend_engine *engine)
{
    return engine->implementation == EQUANT_IMPLEMENTATION_FUSED &&
           engine->solver == EQUANT_SOLVER_FAST && engine->summation == EQUANT_SUMMATION_PLAIN &&
           (layout->model.trend_order == 0 || layout->model.given[TERM_TREND]) &&
           layout->model.n_planets * sizeof(planet_constants) <= FAST_SHARED_BYTES;
}

#endif
