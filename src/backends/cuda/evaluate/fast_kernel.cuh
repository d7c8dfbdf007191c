/* The fast kernel, for the fast solver, plain sums and models that solve for offsets at most.
 *
 * A block first prepares the constants of all planets of its parameter sets, a planet per
 * thread, in shared memory. Then a group of 2 to 16 neighbouring threads shares a set: each
 * member holds the velocities of eight observations while it goes through the planets, whose
 * constants all members read together, and sums meet at the end. The size of the group
 * follows from the number of observations alone, so a result does not depend on the batch;
 * and a thousand sets already fill a large GPU.
 *
 * There are three of them. PLAIN ones have nothing to do but planets and offsets. NOISY ones know
 * jitters and a trend that is given. GIVEN ones are told offsets as well, which is what samplers
 * ask for: nothing is solved for then, and a group goes through the observations of all instruments
 * in one, each with the offset and jitter of its own. */
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

enum fast_way { FAST_PLAIN, FAST_NOISY, FAST_GIVEN };

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

/* Velocities of all planets at N observations first, first + GROUP, ... */
template <int GROUP, int N, bool AWKWARD>
LANE_FUNCTION void fast_velocities_of(const cuda_layout &layout, const planet_constants *planets,
                                      int first, const sine_cosine *sines, real *v)
{
#pragma unroll
    for (int u = 0; u < N; u++)
        v[u] = 0;
#pragma unroll 1
    for (int p = 0; p < (int)layout.model.n_planets; p++) {
        const planet_constants c = planets[p];
#pragma unroll
        for (int u = 0; u < N; u++) {
            wide t = FAST_TIMES(layout)[first + u * GROUP];
            wide t_low = WIDE_IS_PAIR ? (wide)layout.time_low[first + u * GROUP] : (wide)0;
            v[u] = AWKWARD ? planet_add<true>(c, t, t_low, sines, v[u])
                           : planet_add_ordinary<true>(c, t, t_low, sines, v[u]);
        }
    }
}

template <int GROUP, int N>
LANE_FUNCTION void fast_velocities(const cuda_layout &layout, const planet_constants *planets,
                                   bool awkward, int first, const sine_cosine *sines, real *v)
{
    if (awkward)
        fast_velocities_of<GROUP, N, true>(layout, planets, first, sines, v);
    else
        fast_velocities_of<GROUP, N, false>(layout, planets, first, sines, v);
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
        fast_velocities<GROUP, FAST_BLOCK>(layout, planets, awkward, first, sines, v);
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

/* ---- everything given -------------------------------------------------------------- */

/* Of one instrument in one set, in shared memory. */
struct __align__(16) fast_level
{
    double offset, jitter_square;
};

struct fast_given_sums {
    double chi2, mantissa; /* of the product of all variances, in [1, 2) ... */
    int exponent;          /* ... and its power of two, plus 1023 for each of them */
};

/* What N observations add; those beyond the end have no weight and a variance of one. Variances
 * are multiplied as mantissas, of which 2^10 would fit into a double. */
template <int GROUP, int N>
LANE_FUNCTION void fast_add_given(const cuda_layout &layout, const planet_constants *planets,
                                  bool awkward, const fast_level *levels, const linear_trend &trend,
                                  int first, const sine_cosine *sines, fast_given_sums *sums)
{
    real v[N];
    double product = sums->mantissa;
    fast_velocities<GROUP, N>(layout, planets, awkward, first, sines, v);
#pragma unroll
    for (int u = 0; u < N; u++) {
        const int k = first + u * GROUP;
        const bool counts = k < (int)layout.n_obs;
        const fast_level level = levels[layout.instrument[k]];
        const double variance = counts ? layout.variance[k] + level.jitter_square : 1.0;
        real r = (FAST_VELOCITIES(layout)[k] - v[u]) - (real)level.offset;
        if (layout.model.trend_order > 0) {
            const real tau = (real)set_tau(layout, k);
            r -= tau * lane_fma((real)trend.curvature, tau, (real)trend.slope);
        }
        const double weight = counts ? (double)(REAL(1.0) / (real)variance) : 0.0;
        sums->chi2 = lane_fma(weight * (double)r, (double)r, sums->chi2);
        product *= f64_mantissa(variance);
        sums->exponent += __double2hiint(variance) >> 20;
    }
    sums->mantissa = f64_mantissa(product);
    sums->exponent += (__double2hiint(product) >> 20) - 1023 * (N + 1);
}

/* A member has as many observations as the others, or one less: the last few are taken in as
 * short a block as holds them. */
template <int GROUP>
LANE_FUNCTION fast_given_sums fast_all_given(const cuda_layout &layout,
                                             const planet_constants *planets, bool awkward,
                                             const fast_level *levels, const linear_trend &trend,
                                             int member, const sine_cosine *sines)
{
    fast_given_sums sums = {0.0, 1.0, 0};
    int first = member, left = (int)((layout.n_obs + GROUP - 1) / GROUP);
#pragma unroll 1
    for (; left > FAST_BLOCK / 2; left -= FAST_BLOCK, first += FAST_BLOCK * GROUP)
        fast_add_given<GROUP, FAST_BLOCK>(layout, planets, awkward, levels, trend, first, sines,
                                          &sums);
#pragma unroll 1
    for (; left > 0; left -= FAST_BLOCK / 4, first += FAST_BLOCK / 4 * GROUP)
        fast_add_given<GROUP, FAST_BLOCK / 4>(layout, planets, awkward, levels, trend, first, sines,
                                              &sums);
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

/* Whether planets are inside the domain, and whether one is awkward. */
struct fast_planets {
    bool inside, awkward;
};

LANE_FUNCTION fast_planets fast_look_at(const cuda_layout &layout, const planet_constants *planets)
{
    fast_planets seen = {true, false};
    for (int p = 0; p < (int)layout.model.n_planets; p++) {
        seen.inside = seen.inside && planets[p].inside;
        seen.awkward = seen.awkward || planets[p].awkward;
    }
    return seen;
}

/* One parameter set, with nothing to be solved for, by one group. */
template <int GROUP>
LANE_FUNCTION void fast_given_set(const cuda_layout &layout, const planet_constants *planets,
                                  const fast_level *levels, const sine_cosine *sines,
                                  const double *set, size_t s, int member, bool writes,
                                  const cuda_results &results)
{
    const fast_planets seen = fast_look_at(layout, planets);
    const parameter_view given = parameter_layout_walk(&layout.model, set);
    const fast_given_sums sums = fast_all_given<GROUP>(
        layout, planets, seen.awkward, levels, set_given_trend(layout, given), member, sines);
    const double chi2 = fast_sum<GROUP>(sums.chi2);
    const double log_variances =
        fast_sum<GROUP>(log_product_logarithm(sums.mantissa, (double)sums.exponent));
    if (!writes)
        return;
    for (int i = 0; results.linear && i < (int)layout.n_segments; i++)
        results.linear[s * layout.model.n_linear + i] = given.offsets[i];
    fast_write(layout, given, s,
               seen.inside && parameter_domain_has_rest(&layout.model, set) && !isnan(chi2), chi2,
               log_variances, results);
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
    const fast_planets seen = fast_look_at(layout, planets);
    const bool inside = seen.inside && parameter_domain_has_rest(&layout.model, set);
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
                layout, planets, seen.awkward, segment,
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

/* The levels of the instruments of a set, from which their references have been taken. */
LANE_FUNCTION fast_level fast_level_of(const cuda_layout &layout, const double *set, int i)
{
    const parameter_view given = parameter_layout_walk(&layout.model, set);
    const double trend = set_given_trend(layout, given).value;
    const double jitter = given.jitters ? given.jitters[i] : 0.0;
    return {(given.offsets[i] + trend) - layout.segments[i].reference_m_s, jitter * jitter};
}

/* Where a block finds its sets, and the observations of each: one data set for all of them ... */
struct fast_alone {
    const cuda_layout &layout;
    __device__ size_t set_at(size_t place) const
    {
        return place;
    }
    __device__ const cuda_layout &layout_of(size_t) const
    {
        return layout;
    }
    __device__ const cuda_layout &any() const
    {
        return layout;
    }
};

/* ... or one of a list for each. */
struct fast_listed {
    const cuda_list &list;
    __device__ size_t set_at(size_t place) const
    {
        return list.order[place];
    }
    __device__ const cuda_layout &layout_of(size_t s) const
    {
        return list.layouts[list.problem[s]];
    }
    __device__ const cuda_layout &any() const
    {
        return list.layouts[0];
    }
};

template <int GROUP, fast_way WAY, class SOURCE>
LANE_FUNCTION void fast_block(const SOURCE source, size_t n_sets, int sets_per_block,
                              const double *__restrict__ parameters, const cuda_results &results)
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
    int n_planets = (int)source.any().model.n_planets, n_levels = (int)source.any().n_segments;
    fast_level *levels = (fast_level *)(planets + n_here * n_planets);
    for (int i = threadIdx.x; i < n_here * n_planets; i += FAST_THREADS) {
        int j = i / n_planets, p = i - j * n_planets;
        size_t s = source.set_at(first + j);
        planets[i] = fast_prepare(
            source.layout_of(s), parameters + s * source.any().model.n_parameters + N_ELEMENTS * p);
    }
    /* From the last thread on: the first have planets. */
    for (int i = FAST_THREADS - 1 - threadIdx.x; WAY == FAST_GIVEN && i < n_here * n_levels;
         i += FAST_THREADS) {
        size_t s = source.set_at(first + i / n_levels);
        levels[i] = fast_level_of(source.layout_of(s),
                                  parameters + s * source.any().model.n_parameters, i % n_levels);
    }
    __syncthreads();
    int group = threadIdx.x / GROUP, member = threadIdx.x % GROUP;
    for (int round = 0; round < n_here; round += FAST_THREADS / GROUP) {
        int j = round + group < n_here ? round + group : n_here - 1;
        size_t s = source.set_at(first + j);
        const double *set = parameters + s * source.any().model.n_parameters;
        bool writes = round + group < n_here && member == 0;
        if (WAY == FAST_GIVEN)
            fast_given_set<GROUP>(source.layout_of(s), planets + j * n_planets,
                                  levels + j * n_levels, sines, set, s, member, writes, results);
        else
            fast_set<GROUP, WAY == FAST_NOISY>(source.layout_of(s), planets + j * n_planets, sines,
                                               set, s, member, writes, results);
    }
}

template <int GROUP, fast_way WAY>
__global__ void __launch_bounds__(FAST_THREADS, FAST_BLOCKS)
    fast_kernel(const __grid_constant__ cuda_layout layout, size_t n_sets, int sets_per_block,
                const double *__restrict__ parameters, const __grid_constant__ cuda_results results)
{
    fast_block<GROUP, WAY>(fast_alone{layout}, n_sets, sets_per_block, parameters, results);
}

/* Sets of one warp may have more or fewer observations than their neighbours: sums meet behind the
 * loops over them. */
template <int GROUP, fast_way WAY>
__global__ void __launch_bounds__(FAST_THREADS, FAST_BLOCKS)
    fast_list_kernel(const __grid_constant__ cuda_list list, int sets_per_block,
                     const double *__restrict__ parameters,
                     const __grid_constant__ cuda_results results)
{
    fast_block<GROUP, WAY>(fast_listed{list}, list.n_sets, sets_per_block, parameters, results);
}

static size_t fast_planet_bytes(const cuda_layout *layout)
{
    return sizeof(planet_constants) * (layout->model.n_planets > 0 ? layout->model.n_planets : 1);
}

static size_t fast_level_bytes(const cuda_layout *layout)
{
    return sizeof(fast_level) * layout->n_segments;
}

static fast_way fast_way_of(const cuda_layout *layout)
{
    if (!parameter_layout_has_noise(&layout->model) && layout->model.trend_order == 0)
        return FAST_PLAIN;
    return layout->model.given[TERM_OFFSETS] &&
                   fast_planet_bytes(layout) + fast_level_bytes(layout) <= FAST_SHARED_BYTES
               ? FAST_GIVEN
               : FAST_NOISY;
}

/* Bytes of shared memory for one set. */
static size_t fast_set_bytes(const cuda_layout *layout)
{
    return fast_planet_bytes(layout) +
           (fast_way_of(layout) == FAST_GIVEN ? fast_level_bytes(layout) : 0);
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
    const size_t in_one = fast_way_of(layout) == FAST_GIVEN ? 1 : layout->n_segments;
    return layout->n_obs / in_one > 4 * FAST_BLOCK ? FAST_GROUP : 2;
}

using fast_pointer = void (*)(const cuda_layout, size_t, int, const double *, const cuda_results);

static fast_pointer fast_choose(const cuda_layout *layout, int group)
{
    switch (fast_way_of(layout)) {
    case FAST_NOISY:
        return group == 2 ? fast_kernel<2, FAST_NOISY> : fast_kernel<FAST_GROUP, FAST_NOISY>;
    case FAST_GIVEN:
        return group == 2 ? fast_kernel<2, FAST_GIVEN> : fast_kernel<FAST_GROUP, FAST_GIVEN>;
    case FAST_PLAIN:
        break;
    }
    return group == 2 ? fast_kernel<2, FAST_PLAIN> : fast_kernel<FAST_GROUP, FAST_PLAIN>;
}

static void fast_launch(const cuda_layout *layout, size_t n_sets, const double *parameters,
                        const cuda_results *results, cudaStream_t stream)
{
    int group = fast_group_of(layout), sets = fast_sets_per_block(layout, group, n_sets);
    unsigned n_blocks = (unsigned)((n_sets + sets - 1) / sets);
    fast_choose(layout, group)<<<n_blocks, FAST_THREADS, sets * fast_set_bytes(layout), stream>>>(
        *layout, n_sets, sets, parameters, *results);
}

static void fast_list_launch(const cuda_layout *any, const cuda_list *list,
                             const double *parameters, const cuda_results *results,
                             cudaStream_t stream)
{
    const int group = fast_group_of(any), sets = fast_sets_per_block(any, group, list->n_sets);
    const unsigned n_blocks = (unsigned)((list->n_sets + sets - 1) / sets);
    const size_t bytes = sets * fast_set_bytes(any);
#define FAST_LIST(group, way)                                                                      \
    fast_list_kernel<group, way>                                                                   \
        <<<n_blocks, FAST_THREADS, bytes, stream>>>(*list, sets, parameters, *results)
    switch (fast_way_of(any)) {
    case FAST_NOISY:
        group == 2 ? FAST_LIST(2, FAST_NOISY) : FAST_LIST(FAST_GROUP, FAST_NOISY);
        break;
    case FAST_GIVEN:
        group == 2 ? FAST_LIST(2, FAST_GIVEN) : FAST_LIST(FAST_GROUP, FAST_GIVEN);
        break;
    case FAST_PLAIN:
        group == 2 ? FAST_LIST(2, FAST_PLAIN) : FAST_LIST(FAST_GROUP, FAST_PLAIN);
        break;
    }
#undef FAST_LIST
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
