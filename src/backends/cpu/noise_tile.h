/* A tile of parameter sets under correlated noise: the residuals of each set, then one recursion
 * for as many sets as a group of doubles has lanes. */
#ifndef EQUANT_BACKENDS_CPU_NOISE_TILE_H
#define EQUANT_BACKENDS_CPU_NOISE_TILE_H

#include <math.h>

#include "backends/cpu/fit_loop.h"
#include "backends/cpu/velocity_loop.h"
#include "statistics/packed_noise.h"

/* Lanes are numbered through the groups. Where lane `lane` of an array [groups][n][lanes] begins.
 */
static double *noise_tile_lane(double *array, size_t n, size_t lane)
{
    return array + lane / F64_LANES * n * F64_LANES + lane % F64_LANES;
}

/* Offsets (less the reference of each instrument), then slope and curvature of one lane. */
static double *noise_tile_linear(const cpu_problem *problem, const cpu_scratch *scratch,
                                 size_t lane)
{
    return scratch->noise_linear + lane * (problem->n_segments + 2);
}

/* What is given of the linear terms, as fit_linear has it; zero where it is solved for. */
static void noise_tile_given(const cpu_problem *problem, parameter_view given, double *linear)
{
    linear_trend drift = linear_trend_given(given.trend, problem->layout.trend_order,
                                            problem->time_middle, problem->time_scale);
    for (size_t i = 0; i < problem->n_segments; i++)
        linear[i] = given.offsets
                        ? given.offsets[i] + drift.value - problem->segments[i].reference_m_s
                        : 0.0;
    linear[problem->n_segments] = drift.slope;
    linear[problem->n_segments + 1] = drift.curvature;
}

/* The residuals of a set beside its planets, into its lane. */
static void noise_tile_residuals(const cpu_problem *problem, const cpu_scratch *scratch,
                                 size_t lane)
{
    const scalar *planets = scratch->planets, *velocity = problem->velocity;
    const double *offsets = noise_tile_linear(problem, scratch, lane),
                 *trend = offsets + problem->n_segments;
    double *residuals = noise_tile_lane(scratch->noise_residuals, problem->n_obs, lane);
    for (size_t k = 0; k < problem->n_obs; k++) {
        size_t i = problem->row[k];
        double tau = problem->noise.tau[k];
        residuals[k * F64_LANES] =
            (((double)velocity[i] - (double)planets[i]) - offsets[problem->instrument[k]]) -
            tau * (trend[0] + trend[1] * tau);
    }
}

/* Words and jitters of a set; lanes without one have harmless ones. */
static void noise_tile_words(const cpu_problem *problem, const cpu_scratch *scratch,
                             const double *set, size_t lane)
{
    double ones[NOISE_KIND_MOST_TERMS * NOISE_KIND_MOST_PARAMETERS];
    noise_process process;
    parameter_view given = {NULL, NULL, NULL, NULL, NULL};
    if (set)
        given = parameter_layout_view(&problem->layout, set);
    for (size_t i = 0; !set && i < sizeof ones / sizeof *ones; i++)
        ones[i] = 1.0;
    noise_terms_expand(&process, &problem->layout.noise, set ? given.noise : ones,
                       problem->noise.n_places);
    noise_words_write(&problem->noise.plan, &process,
                      noise_tile_lane(scratch->noise_words, problem->noise.n_words, lane),
                      F64_LANES);
    double *jitters = noise_tile_lane(scratch->noise_jitters, problem->n_segments, lane);
    for (size_t i = 0; i < problem->n_segments; i++)
        jitters[i * F64_LANES] = given.jitters ? given.jitters[i] : 0.0;
}

static void noise_tile_fill(const cpu_problem *problem, const cpu_scratch *scratch, size_t tile_set,
                            const double *set, size_t lane)
{
    noise_tile_words(problem, scratch, set, lane);
    if (!set) {
        double *residuals = noise_tile_lane(scratch->noise_residuals, problem->n_obs, lane);
        for (size_t k = 0; k < problem->n_obs; k++)
            residuals[k * F64_LANES] = 0.0;
        return;
    }
    velocity_loop(problem, scratch, tile_set, planet_tile_stride(problem));
    noise_tile_given(problem, parameter_layout_view(&problem->layout, set),
                     noise_tile_linear(problem, scratch, lane));
    noise_tile_residuals(problem, scratch, lane);
}

/* Solves the n normal equations of one lane by Cholesky's way, [n][n + 1] with a stride, in place.
 * What the data do not determine is zero. */
static void noise_tile_cholesky(size_t n, double *normal, double *solution)
{
    double diagonal[CPU_NOISE_MOST_SOLVED];
#define AT(i, j) normal[((i) * (n + 1) + (j)) * F64_LANES]
    for (size_t i = 0; i < n; i++) {
        double whole = AT(i, i);
        for (size_t j = 0; j < i; j++) {
            double sum = AT(i, j);
            for (size_t l = 0; l < j; l++)
                sum -= AT(i, l) * AT(j, l);
            AT(i, j) = diagonal[j] > 0.0 ? sum / diagonal[j] : 0.0;
        }
        double left = whole;
        for (size_t l = 0; l < i; l++)
            left -= AT(i, l) * AT(i, l);
        diagonal[i] = left > 1e-12 * whole ? sqrt(left) : 0.0;
        double sum = AT(i, n);
        for (size_t l = 0; l < i; l++)
            sum -= AT(i, l) * solution[l];
        solution[i] = diagonal[i] > 0.0 ? sum / diagonal[i] : 0.0;
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t l = i + 1; l < n; l++)
            solution[i] -= AT(l, i) * solution[l];
        solution[i] = diagonal[i] > 0.0 ? solution[i] / diagonal[i] : 0.0;
    }
#undef AT
}

/* The linear terms that are not given, of the lanes of a group; residuals become those beside
 * them. */
static void noise_tile_solve(const cpu_problem *problem, const cpu_scratch *scratch, size_t group,
                             bool with_jitters)
{
    const cpu_noise *noise = &problem->noise;
    const size_t first = group * F64_LANES;
    double solution[CPU_NOISE_MOST_SOLVED],
        *residuals = noise_tile_lane(scratch->noise_residuals, problem->n_obs, first);
    noise->normal(problem, noise_tile_lane(scratch->noise_words, noise->n_words, first),
                  with_jitters ? noise_tile_lane(scratch->noise_jitters, problem->n_segments, first)
                               : NULL,
                  residuals, scratch->noise_states, scratch->noise_normal);
    for (size_t lane = 0; lane < F64_LANES; lane++) {
        double *linear = noise_tile_linear(problem, scratch, first + lane);
        noise_tile_cholesky(noise->n_solved, scratch->noise_normal + lane, solution);
        for (size_t m = 0; m < noise->n_solved; m++)
            linear[noise->solved[m]] = solution[m];
        for (size_t k = 0; k < problem->n_obs; k++) {
            double tau = noise->tau[k], taken = 0.0;
            for (size_t m = 0; m < noise->n_solved; m++) {
                size_t column = noise->solved[m];
                taken += column < problem->n_segments
                             ? (problem->instrument[k] == column ? solution[m] : 0.0)
                         : column == problem->n_segments ? solution[m] * tau
                                                         : solution[m] * tau * tau;
            }
            residuals[k * F64_LANES + lane] -= taken;
        }
    }
}

/* The results of one set; those that need the velocities of its planets make them once more. */
static void noise_tile_write(const cpu_problem *problem, const cpu_scratch *scratch,
                             size_t tile_set, const double *set, size_t lane, double chi_square,
                             double log_determinant, const equant_results *results)
{
    const double *linear = noise_tile_linear(problem, scratch, lane);
    double log_likelihood =
        chi_square_log_likelihood(chi_square, log_determinant, (double)problem->n_obs);
    if (!isfinite(log_likelihood)) {
        fit_set_outside_domain(problem, results);
        return;
    }
    if (results->chi_square)
        *results->chi_square = chi_square;
    if (results->log_likelihood)
        *results->log_likelihood = log_likelihood;
    if (results->linear)
        fit_write_linear(problem, parameter_layout_view(&problem->layout, set), linear,
                         linear + problem->n_segments, results->linear);
    if (results->velocities || results->residuals) {
        velocity_loop(problem, scratch, tile_set, planet_tile_stride(problem));
        fit_write_velocities(problem, scratch->planets, linear, linear + problem->n_segments,
                             results);
    }
}

/* Sets whose planets are prepared; those that are not valid are written by the caller. */
static void noise_tile(const cpu_problem *problem, size_t n_sets, const double *parameters,
                       const bool *valid, const equant_results *results, const cpu_scratch *scratch)
{
    const bool with_jitters = parameter_layout_has(&problem->layout, TERM_JITTERS);
    enum { LANES = CPU_NOISE_GROUPS * F64_LANES };
    for (size_t first = 0; first < n_sets; first += LANES) {
        double chi_square[LANES], log_determinant[LANES];
        const double *sets[LANES];
        size_t left = n_sets - first, n_groups = left > F64_LANES ? CPU_NOISE_GROUPS : 1;
        for (size_t lane = 0; lane < n_groups * F64_LANES; lane++) {
            size_t s = first + lane;
            sets[lane] =
                s < n_sets && valid[s] ? parameters + s * problem->layout.n_parameters : NULL;
            noise_tile_fill(problem, scratch, s, sets[lane], lane);
        }
        for (size_t g = 0; g < n_groups && problem->noise.n_solved > 0; g++)
            noise_tile_solve(problem, scratch, g, with_jitters);
        problem->noise.loop(problem, n_groups, scratch->noise_words,
                            with_jitters ? scratch->noise_jitters : NULL, scratch->noise_residuals,
                            chi_square, log_determinant);
        for (size_t lane = 0; lane < n_groups * F64_LANES; lane++) {
            equant_results one;
            if (!sets[lane])
                continue;
            one = cpu_results_from(problem, results, first + lane);
            noise_tile_write(problem, scratch, first + lane, sets[lane], lane, chi_square[lane],
                             log_determinant[lane], &one);
        }
    }
}

#endif
