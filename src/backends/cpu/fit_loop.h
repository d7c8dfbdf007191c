/* From the velocities of the planets to chi-square, likelihood, offsets, trend and
 * residuals of one parameter set. */
#ifndef EQUANT_BACKENDS_CPU_FIT_LOOP_H
#define EQUANT_BACKENDS_CPU_FIT_LOOP_H

#include <math.h>

#include "physics/chi_square.h"
#include "physics/linear_nuisance.h"

/* Weights with the jitter of this set, for one instrument. */
LANE_FUNCTION void fit_weights(const cpu_problem *problem, const cpu_segment *segment,
                               double jitter, scalar *weights)
{
    const scalar *variance = (const scalar *)problem->variance + segment->storage;
    real s = REAL(jitter);
    for (size_t k = 0; k < segment->n_padded; k += REAL_LANES)
        real_store(weights + k, chi_square_weight(real_load(variance + k), s));
}

/* sum of ln(sigma^2 + s^2) over one instrument. */
LANE_FUNCTION double fit_log_variances(const cpu_problem *problem, const cpu_segment *segment,
                                       double jitter)
{
    const double *variance = problem->variance_double + segment->storage;
    f64 s2 = F64(jitter * jitter);
    log_product products[CPU_PADDING / F64_LANES];
    for (size_t g = 0; g < CPU_PADDING / F64_LANES; g++)
        products[g] = (log_product){F64(1.0), F64(0.0)};
    for (size_t k = 0; k < segment->n_padded; k += CPU_PADDING)
        for (size_t g = 0; g < CPU_PADDING / F64_LANES; g++)
            log_product_multiply(&products[g], f64_load(variance + k + g * F64_LANES) + s2);
    double mantissa[CPU_PADDING], exponent[CPU_PADDING], total = 0.0;
    for (size_t g = 0; g < CPU_PADDING / F64_LANES; g++) {
        f64_store(mantissa + g * F64_LANES, products[g].mantissa);
        f64_store(exponent + g * F64_LANES, products[g].exponent);
    }
    double product = 1.0;
    for (size_t i = 0; i < CPU_PADDING; i++) {
        product *= mantissa[i];
        total += exponent[i];
    }
    return log_product_logarithm(product, total);
}

/* Moments of weights and of weighted residuals for one instrument. Powers of t go only
 * as far as the trend asks; moments of the weights alone are known already where no
 * jitter changes them. */
LANE_FUNCTION linear_moments fit_moments(const cpu_problem *problem, const cpu_segment *segment,
                                         const scalar *weights, const scalar *planets,
                                         const double linear[3], int compensated)
{
    const scalar *observed = (const scalar *)problem->velocity + segment->first;
    const scalar *time = (const scalar *)problem->time_real + segment->first;
    const int order = problem->layout.given[TERM_TREND] ? 0 : problem->layout.trend_order;
    const bool sum_weights = parameter_layout_has_noise(&problem->layout);
    real offset = REAL(linear[0]), d1 = REAL(linear[1]), d2 = REAL(linear[2]);
    summation W[LINEAR_N_WEIGHT_MOMENTS], b[LINEAR_N_RESIDUAL_MOMENTS];
    for (int j = 0; j < LINEAR_N_WEIGHT_MOMENTS; j++)
        W[j] = summation_zero();
    for (int j = 0; j < LINEAR_N_RESIDUAL_MOMENTS; j++)
        b[j] = summation_zero();
    for (size_t k = 0; k < segment->n_padded; k += SUMMATION_WIDTH)
        for (int g = 0; g < SUMMATION_GROUPS; g++) {
            size_t i = k + (size_t)g * REAL_LANES;
            real t = real_load(time + i), w_tj = real_load(weights + i);
            real r = chi_square_residual(real_load(observed + i), real_load(planets + i), offset, t,
                                         d1, d2);
            for (int j = 0; j <= order || (sum_weights && j <= 2 * order); j++) {
                if (sum_weights)
                    summation_add_product(&W[j], g, w_tj, REAL(1.0), compensated);
                if (j <= order)
                    summation_add_product(&b[j], g, w_tj, r, compensated);
                w_tj = w_tj * t;
            }
        }
    linear_moments moments = {{0.0}, {0.0}};
    for (int j = 0; j <= order; j++)
        moments.b[j] = summation_total(&b[j]);
    for (int j = 0; j < LINEAR_N_WEIGHT_MOMENTS; j++)
        moments.W[j] = !sum_weights ? segment->W[j] : j <= 2 * order ? summation_total(&W[j]) : 0.0;
    return moments;
}

LANE_FUNCTION double fit_chi_square(const cpu_problem *problem, const cpu_segment *segment,
                                    const scalar *weights, const scalar *planets,
                                    const double linear[3], int compensated)
{
    const scalar *observed = (const scalar *)problem->velocity + segment->first;
    const scalar *time = (const scalar *)problem->time_real + segment->first;
    real offset = REAL(linear[0]), d1 = REAL(linear[1]), d2 = REAL(linear[2]);
    summation chi2 = summation_zero();
    for (size_t k = 0; k < segment->n_padded; k += SUMMATION_WIDTH)
        for (int g = 0; g < SUMMATION_GROUPS; g++) {
            size_t i = k + (size_t)g * REAL_LANES;
            real r = chi_square_residual(real_load(observed + i), real_load(planets + i), offset,
                                         real_load(time + i), d1, d2);
            chi_square_add(&chi2, g, r, real_load(weights + i), compensated);
        }
    return summation_total(&chi2);
}

/* Offsets (less the reference of each instrument) and scaled trend of one set: as given,
 * or solved where the model leaves them out. `moments` has room for one per instrument. */
LANE_FUNCTION void fit_linear(const cpu_problem *problem, const scalar *weights,
                              const scalar *planets, parameter_view given, int compensated,
                              linear_moments *moments, double *offsets, double trend[2])
{
    const bool solve_offsets = given.offsets == NULL;
    const bool solve_trend = given.trend == NULL && problem->layout.trend_order > 0;
    linear_trend drift = linear_trend_given(given.trend, problem->layout.trend_order,
                                            problem->time_middle, problem->time_scale);
    trend[0] = drift.slope;
    trend[1] = drift.curvature;
    linear_reduced reduced = {0.0, 0.0, 0.0, 0.0, 0.0};
    double scale1 = 0.0, scale2 = 0.0;
    /* Moments with jitter are summed in real, the others in double. */
    const double negligible =
        REAL_IS_DOUBLE || !parameter_layout_has_noise(&problem->layout) ? 1e-12 : 1e-5;
    for (size_t i = 0; i < problem->n_segments; i++) {
        const cpu_segment *segment = &problem->segments[i];
        offsets[i] = solve_offsets ? 0.0 : given.offsets[i] + drift.value - segment->reference_m_s;
        if (!solve_offsets && !solve_trend)
            continue;
        double known[3] = {offsets[i], trend[0], trend[1]};
        moments[i] = fit_moments(problem, segment, weights + segment->storage,
                                 planets + segment->first, known, compensated);
        linear_reduce(&reduced, &moments[i], solve_offsets);
        scale1 += moments[i].W[2];
        scale2 += moments[i].W[4];
    }
    if (solve_trend)
        linear_solve_trend(&reduced, problem->layout.trend_order, negligible, scale1, scale2,
                           &trend[0], &trend[1]);
    if (solve_offsets)
        for (size_t i = 0; i < problem->n_segments; i++)
            offsets[i] = solve_trend ? linear_offset(&moments[i], trend[0], trend[1])
                                     : linear_offset(&moments[i], 0.0, 0.0);
}

/* Offsets and trend in the units of the data: what was given, to the bit, or what was
 * solved, with reference and time scale put back. */
static void fit_write_linear(const cpu_problem *problem, parameter_view given,
                             const double *offsets, const double trend[2], double *linear)
{
    double solved[2], at_middle = linear_trend_restore(trend[0], trend[1], problem->time_middle,
                                                       problem->time_scale, solved);
    for (size_t i = 0; i < problem->n_segments; i++)
        *linear++ = given.offsets ? given.offsets[i]
                                  : offsets[i] + problem->segments[i].reference_m_s - at_middle;
    for (int j = 0; j < problem->layout.trend_order; j++)
        *linear++ = given.trend ? given.trend[j] : solved[j];
}

/* Predicted velocities and residuals in the order of the data set, in double. */
static void fit_write_velocities(const cpu_problem *problem, const scalar *planets,
                                 const double *offsets, const double trend[2],
                                 const equant_results *results)
{
    for (size_t k = 0; k < problem->n_obs; k++) {
        size_t i = problem->row[k], instrument = problem->instrument[k];
        double tau = (problem->time[i] - problem->time_middle) / problem->time_scale;
        double predicted = (double)planets[i] + offsets[instrument] +
                           problem->segments[instrument].reference_m_s +
                           tau * (trend[0] + trend[1] * tau);
        if (results->velocities)
            results->velocities[k] = predicted;
        if (results->residuals)
            results->residuals[k] = problem->observed[i] - predicted;
    }
}

/* What a set outside the domain gets. */
static void fit_set_outside_domain(const cpu_problem *problem, const equant_results *results)
{
    if (results->chi_square)
        *results->chi_square = INFINITY;
    if (results->log_likelihood)
        *results->log_likelihood = -INFINITY;
    for (size_t i = 0; results->linear && i < problem->layout.n_linear; i++)
        results->linear[i] = NAN;
    for (size_t k = 0; results->velocities && k < problem->n_obs; k++)
        results->velocities[k] = NAN;
    for (size_t k = 0; results->residuals && k < problem->n_obs; k++)
        results->residuals[k] = NAN;
}

/* What the velocities of its planets make of one set; offsets are in the scratch. */
typedef struct fit_found {
    parameter_view given;
    const scalar *weights;
    double trend[2], chi2, log_variances;
} fit_found;

/* Logarithms of variances are summed only where they are wanted. */
LANE_FUNCTION fit_found fit_find(const cpu_problem *problem, const cpu_scratch *scratch,
                                 const double *set, bool with_likelihood, int compensated)
{
    fit_found found = {.given = parameter_layout_view(&problem->layout, set),
                       .weights = problem->weight};
    const scalar *planets = scratch->planets;
    const double *jitter = found.given.jitters;
    if (jitter) {
        found.weights = scratch->weights;
        for (size_t i = 0; i < problem->n_segments; i++)
            fit_weights(problem, &problem->segments[i], jitter[i],
                        (scalar *)scratch->weights + problem->segments[i].storage);
    }
    fit_linear(problem, found.weights, planets, found.given, compensated, scratch->moments,
               scratch->offsets, found.trend);
    for (size_t i = 0; i < problem->n_segments; i++) {
        const cpu_segment *segment = &problem->segments[i];
        double linear[3] = {scratch->offsets[i], found.trend[0], found.trend[1]};
        found.chi2 += fit_chi_square(problem, segment, found.weights + segment->storage,
                                     planets + segment->first, linear, compensated);
        if (with_likelihood)
            found.log_variances +=
                jitter ? fit_log_variances(problem, segment, jitter[i]) : segment->log_variances;
    }
    return found;
}

/* Everything of one set; `results` points at its own row. */
LANE_FUNCTION void fit_set_with(const cpu_problem *problem, const cpu_scratch *scratch,
                                const double *set, const equant_results *results, int compensated)
{
    fit_found found = fit_find(problem, scratch, set, results->log_likelihood != NULL, compensated);
    if (isnan(found.chi2)) { /* an amplitude beyond the range of the precision */
        fit_set_outside_domain(problem, results);
        return;
    }
    if (results->chi_square)
        *results->chi_square = found.chi2;
    if (results->log_likelihood)
        *results->log_likelihood =
            chi_square_log_likelihood(found.chi2, found.log_variances, (double)problem->n_obs);
    if (results->linear)
        fit_write_linear(problem, found.given, scratch->offsets, found.trend, results->linear);
    if (results->velocities || results->residuals)
        fit_write_velocities(problem, scratch->planets, scratch->offsets, found.trend, results);
}

static void fit_set(const cpu_problem *problem, const cpu_scratch *scratch, const double *set,
                    const equant_results *results)
{
    if (problem->engine.summation == EQUANT_SUMMATION_COMPENSATED)
        fit_set_with(problem, scratch, set, results, 1);
    else
        fit_set_with(problem, scratch, set, results, 0);
}

#endif
