/* The general kernel: any number of planets, either solver (or velocities that other
 * kernels have made), either summation, jitter, offsets and trend given or solved. One thread
 * per parameter set; constants and moments in working memory, [word][set], so that
 * neighbouring threads read neighbouring words. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_GENERAL_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_GENERAL_KERNEL_CUH

#include "backends/cuda/evaluate/general_velocity.cuh"
#include "physics/chi_square.h"

#define GENERAL_THREADS 128

/* Moments of one instrument; chi2 is that of the residuals before anything is solved. Where its
 * offset is solved for, all are taken from the first residual: a planet whose velocity is large and
 * hardly changes would otherwise leave chi-square to a difference of large numbers. */
struct general_sums {
    linear_moments moments;
    double chi2, pivot;
    log_product variances;
};

/* What one residual adds to chi-square and to the moments from which offsets and trend follow. */
LANE_FUNCTION void general_add_moments(const cuda_layout &layout, double variance, double tau,
                                       double r, general_sums *sums)
{
    double w = 1.0 / variance, wr = w * r;
    sums->chi2 = lane_fma(wr, r, sums->chi2);
    sums->moments.W[0] += w;
    sums->moments.b[0] += wr;
    if (layout.model.trend_order == 0)
        return;
    for (int j = 1; j < LINEAR_N_WEIGHT_MOMENTS; j++)
        sums->moments.W[j] += w *= tau;
    for (int j = 1; j < 3; j++)
        sums->moments.b[j] += wr *= tau;
}

/* Where nothing is solved for, chi-square is summed in the precision that was asked for. */
LANE_FUNCTION general_sums general_segment(const cuda_layout &layout,
                                           const general_scratch &scratch, general_way way,
                                           const cuda_segment &segment, double offset,
                                           const double trend[2], double jitter)
{
    bool solves = !layout.model.given[TERM_OFFSETS] ||
                  (!layout.model.given[TERM_TREND] && layout.model.trend_order > 0);
    general_sums sums = {};
    sums.variances.mantissa = 1.0;
    real chi2 = 0, chi2_low = 0;
    for (size_t first = segment.first; first < segment.end; first += GENERAL_STRIP) {
        int n = segment.end - first < GENERAL_STRIP ? (int)(segment.end - first) : GENERAL_STRIP;
        real v[GENERAL_STRIP];
        general_velocities(layout, scratch, way, first, n, v);
#pragma unroll 1
        for (int k = 0; k < n; k++) {
            size_t i = first + k;
            double tau = set_tau(layout, i), variance = layout.variance[i] + jitter * jitter;
            real r = chi_square_residual((real)layout.velocity[i], v[k], (real)offset, (real)tau,
                                         (real)trend[0], (real)trend[1]);
            real weight = chi_square_weight((real)layout.variance[i], (real)jitter);
            if (!layout.model.given[TERM_OFFSETS] && i == segment.first)
                sums.pivot = (double)r;
            if (solves)
                general_add_moments(layout, variance, tau, (double)r - sums.pivot, &sums);
            else if (way.compensated)
                summation_compensated(&chi2, &chi2_low, weight * r * r);
            else
                chi2 = lane_fma(weight * r, r, chi2);
            if (parameter_layout_has_noise(&layout.model))
                log_product_multiply(&sums.variances, variance);
        }
    }
    if (!solves)
        sums.chi2 = (double)chi2 - (double)chi2_low;
    return sums;
}

/* Chi-square of one set, with offsets and trend solved where they are not given: each
 * instrument's b^2/W is what its offset takes away, g d what the trend does. Moments are
 * kept in double, where these differences lose nothing that single would show. */
LANE_FUNCTION void general_fit(const cuda_layout &layout, const general_scratch &scratch,
                               general_way way, const double *set, double *chi_square,
                               double *log_variances, double *offsets_and_means, double trend[2])
{
    parameter_view given = parameter_layout_view(&layout.model, set);
    bool solve_offsets = given.offsets == nullptr;
    bool solve_trend = given.trend == nullptr && layout.model.trend_order > 0;
    double scale1 = 0.0, scale2 = 0.0;
    const linear_trend drift = set_given_trend(layout, given);
    trend[0] = drift.slope;
    trend[1] = drift.curvature;
    linear_reduced reduced = {};
    *chi_square = *log_variances = 0.0;
    general_scratch kept = {offsets_and_means, scratch.stride, nullptr};
    for (size_t i = 0; i < layout.n_segments; i++) {
        const cuda_segment segment = layout.segments[i];
        double offset =
            solve_offsets ? 0.0 : given.offsets[i] + drift.value - segment.reference_m_s;
        double jitter = given.jitters ? given.jitters[i] : 0.0;
        general_sums sums = general_segment(layout, scratch, way, segment, offset, trend, jitter);
        const linear_moments &m = sums.moments;
        *log_variances +=
            given.jitters ? log_product_logarithm(sums.variances.mantissa, sums.variances.exponent)
                          : segment.log_variances;
        *chi_square += sums.chi2;
        bool seen = solve_offsets && m.W[0] > 0.0;
        if (seen)
            *chi_square -= m.b[0] * m.b[0] / m.W[0];
        if (solve_trend) {
            linear_reduce(&reduced, &m, solve_offsets);
            scale1 += m.W[2];
            scale2 += m.W[4];
        }
        kept[3 * i] = seen ? sums.pivot + m.b[0] / m.W[0] : 0.0;
        kept[3 * i + 1] = seen ? m.W[1] / m.W[0] : 0.0;
        kept[3 * i + 2] = seen ? m.W[2] / m.W[0] : 0.0;
    }
    if (solve_trend) {
        linear_solve_trend(&reduced, layout.model.trend_order, 1e-12, scale1, scale2, &trend[0],
                           &trend[1]);
        *chi_square -= trend[0] * reduced.g1 + trend[1] * reduced.g2;
    }
    for (size_t i = 0; i < layout.n_segments; i++)
        kept[3 * i] = solve_trend && solve_offsets
                          ? kept[3 * i] - trend[0] * kept[3 * i + 1] - trend[1] * kept[3 * i + 2]
                      : solve_offsets
                          ? kept[3 * i]
                          : given.offsets[i] + drift.value - layout.segments[i].reference_m_s;
}

/* Offsets and trend in the units of the data: what was given, to the bit, or what was
 * solved, with reference, middle and time scale put back. */
LANE_FUNCTION void general_write_linear(const cuda_layout &layout, const double *set,
                                        const general_scratch &kept, const double trend[2],
                                        bool inside, double *linear)
{
    parameter_view given = parameter_layout_view(&layout.model, set);
    double solved[2], at_middle = linear_trend_restore(trend[0], trend[1], layout.time_middle,
                                                       layout.time_scale, solved);
    for (size_t i = 0; i < layout.n_segments; i++)
        linear[i] = !inside         ? NAN
                    : given.offsets ? given.offsets[i]
                                    : kept[3 * i] + layout.segments[i].reference_m_s - at_middle;
    for (int j = 0; j < layout.model.trend_order; j++)
        linear[layout.n_segments + j] = !inside ? NAN : given.trend ? given.trend[j] : solved[j];
}

LANE_FUNCTION void general_write_velocities(const cuda_layout &layout,
                                            const general_scratch &scratch, general_way way,
                                            const general_scratch &kept, const double trend[2],
                                            double *velocities, double *residuals)
{
    for (size_t s = 0; s < layout.n_segments; s++) {
        const cuda_segment segment = layout.segments[s];
        for (size_t first = segment.first; first < segment.end; first += GENERAL_STRIP) {
            int n =
                segment.end - first < GENERAL_STRIP ? (int)(segment.end - first) : GENERAL_STRIP;
            real v[GENERAL_STRIP];
            general_velocities(layout, scratch, way, first, n, v);
#pragma unroll 1
            for (int k = 0; k < n; k++) {
                size_t i = first + k;
                double tau = set_tau(layout, i);
                double predicted = (double)v[k] + kept[3 * s] + segment.reference_m_s +
                                   tau * (trend[0] + trend[1] * tau);
                if (velocities)
                    velocities[layout.row[i]] = predicted;
                if (residuals)
                    residuals[layout.row[i]] = layout.observed[i] - predicted;
            }
        }
    }
}

/* One set, of n_sets whose working memory lies side by side. */
LANE_FUNCTION void general_set(const cuda_layout &layout, size_t s, size_t n_sets,
                               const double *__restrict__ parameters, const cuda_results &results,
                               double *memory, general_way way)
{
    const double *set = parameters + s * layout.model.n_parameters;
    bool inside = parameter_domain_has(&layout.model, layout.period_floor_days, set);
    general_scratch scratch = {memory + s, n_sets, general_values(layout, n_sets, memory) + s};
    general_scratch kept = {memory + s + layout.model.n_planets * GENERAL_CONSTANTS * n_sets,
                            n_sets, nullptr};
    double chi2 = INFINITY, log_variances = 0.0, trend[2] = {0.0, 0.0};
    if (inside) {
        for (size_t p = 0; way.source != SOURCE_MEMORY && p < layout.model.n_planets; p++)
            general_prepare(layout, scratch, p, set + N_ELEMENTS * p);
        general_fit(layout, scratch, way, set, &chi2, &log_variances, kept.words, trend);
        inside = !isnan(chi2);
        chi2 = inside ? fmax(chi2, 0.0) : INFINITY; /* a difference, so it may round below */
    }
    if (results.chi_square)
        results.chi_square[s] = chi2;
    if (results.log_likelihood)
        results.log_likelihood[s] =
            chi_square_log_likelihood(chi2, log_variances, (double)layout.n_obs);
    if (results.linear)
        general_write_linear(layout, set, kept, trend, inside,
                             results.linear + s * layout.model.n_linear);
    double *velocities = results.velocities ? results.velocities + s * layout.n_obs : nullptr;
    double *residuals = results.residuals ? results.residuals + s * layout.n_obs : nullptr;
    if (inside && (velocities || residuals))
        general_write_velocities(layout, scratch, way, kept, trend, velocities, residuals);
    for (size_t k = 0; !inside && k < layout.n_obs; k++) {
        if (velocities)
            velocities[k] = NAN;
        if (residuals)
            residuals[k] = NAN;
    }
}

__global__ void __launch_bounds__(GENERAL_THREADS)
    general_kernel(const __grid_constant__ cuda_layout layout, size_t n_sets,
                   const double *__restrict__ parameters, cuda_results results, double *memory,
                   general_way way)
{
    size_t s = (size_t)blockIdx.x * GENERAL_THREADS + threadIdx.x;
    if (s < n_sets)
        general_set(layout, s, n_sets, parameters, results, memory, way);
}

__global__ void __launch_bounds__(GENERAL_THREADS)
    general_list_kernel(const __grid_constant__ cuda_list list,
                        const double *__restrict__ parameters, cuda_results results, double *memory,
                        general_way way)
{
    size_t place = (size_t)blockIdx.x * GENERAL_THREADS + threadIdx.x;
    if (place >= list.n_sets)
        return;
    size_t s = list.order[place];
    general_set(list.layouts[list.problem[s]], s, list.n_all, parameters, results, memory, way);
}

static general_way general_way_of(planet_source source, const backend_engine *engine)
{
    return {source, engine->summation == EQUANT_SUMMATION_COMPENSATED};
}

static void general_launch(const cuda_layout *layout, general_way way, size_t n_sets,
                           const double *parameters, const cuda_results *results, double *scratch,
                           cudaStream_t stream)
{
    unsigned n = (unsigned)((n_sets + GENERAL_THREADS - 1) / GENERAL_THREADS);
    general_kernel<<<n, GENERAL_THREADS, 0, stream>>>(*layout, n_sets, parameters, *results,
                                                      scratch, way);
}

static void general_list_launch(const cuda_list *list, general_way way, const double *parameters,
                                const cuda_results *results, double *scratch, cudaStream_t stream)
{
    unsigned n = (unsigned)((list->n_sets + GENERAL_THREADS - 1) / GENERAL_THREADS);
    general_list_kernel<<<n, GENERAL_THREADS, 0, stream>>>(*list, parameters, *results, scratch,
                                                           way);
}

static size_t general_list(cuda_function *functions)
{
    functions[0] = {"fused, general", (const void *)general_kernel, GENERAL_THREADS, 0};
    return 1;
}

#endif
