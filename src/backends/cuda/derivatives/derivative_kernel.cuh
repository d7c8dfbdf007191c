/* Derivatives of parameter sets, one after the other by each team: gradients, Fisher matrix and
 * Jacobian from the columns and the matrix of their products. */
#ifndef EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_KERNEL_CUH

#include "backends/cuda/derivatives/derivative_matrix.cuh"

/* Parameters that have a column in the Jacobian: all but jitters. */
LANE_FUNCTION size_t derivative_n_places(const cuda_layout &layout)
{
    return parameter_layout_first_noise(&layout.model);
}

/* Where parameter i is in the matrix: planets, offsets and trend, as far as they are given. */
LANE_FUNCTION size_t derivative_place(const cuda_layout &layout, const derivative_workspace &at,
                                      size_t i)
{
    size_t n_orbits = layout.model.columns[TERM_ORBITS].n;
    size_t n_offsets = layout.model.columns[TERM_OFFSETS].n;
    return i < n_orbits               ? i
           : i < n_orbits + n_offsets ? at.n_columns + i - n_orbits
                                      : i - n_offsets;
}

/* The results of set s. */
LANE_FUNCTION derivative_results derivative_results_of(const derivative_problem &problem, size_t s)
{
    size_t n = problem.layout.model.n_parameters;
    derivative_results own = problem.results;
    own.chi_square = own.chi_square ? own.chi_square + s : nullptr;
    own.log_likelihood = own.log_likelihood ? own.log_likelihood + s : nullptr;
    own.chi_square_gradient = own.chi_square_gradient ? own.chi_square_gradient + s * n : nullptr;
    own.log_likelihood_gradient =
        own.log_likelihood_gradient ? own.log_likelihood_gradient + s * n : nullptr;
    own.fisher = own.fisher ? own.fisher + s * n * n : nullptr;
    own.jacobian = own.jacobian ? own.jacobian + s * n * problem.layout.n_obs : nullptr;
    return own;
}

LANE_FUNCTION void derivative_fill(double *values, size_t n, double value)
{
    for (size_t i = team_thread(); values && i < n; i += team_n_threads())
        values[i] = value;
}

/* What a set outside the domain gets. */
LANE_FUNCTION void derivative_outside_domain(const cuda_layout &layout,
                                             const derivative_results &out)
{
    size_t n = layout.model.n_parameters;
    derivative_fill(out.chi_square, 1, INFINITY);
    derivative_fill(out.log_likelihood, 1, -INFINITY);
    derivative_fill(out.chi_square_gradient, n, NAN);
    derivative_fill(out.log_likelihood_gradient, n, NAN);
    derivative_fill(out.fisher, n * n, NAN);
    derivative_fill(out.jacobian, n * layout.n_obs, NAN);
}

/* Gradients, from the products with the residuals: before anything is eliminated, for the
 * residuals have nothing left to explain. */
LANE_FUNCTION void derivative_write_gradients(const cuda_layout &layout,
                                              const derivative_workspace &at,
                                              const derivative_results &out)
{
    const double *products = at.matrix + (at.n_columns - 1) * at.matrix_size;
    size_t n_places = derivative_n_places(layout);
    for (size_t i = team_thread(); i < n_places; i += team_n_threads()) {
        double product = products[derivative_place(layout, at, i)];
        if (out.chi_square_gradient)
            out.chi_square_gradient[i] = -2.0 * product;
        if (out.log_likelihood_gradient)
            out.log_likelihood_gradient[i] = product;
    }
}

/* Elimination rounds the two halves differently; one of them is taken for both. */
LANE_FUNCTION void derivative_write_fisher(const cuda_layout &layout,
                                           const derivative_workspace &at, double *fisher)
{
    size_t n = layout.model.n_parameters, n_places = derivative_n_places(layout);
    for (size_t entry = team_thread(); entry < n * n; entry += team_n_threads()) {
        size_t i = min(entry / n, entry % n), j = max(entry / n, entry % n);
        fisher[entry] = j < n_places ? at.matrix[derivative_place(layout, at, i) * at.matrix_size +
                                                 derivative_place(layout, at, j)]
                                     : 0.0;
    }
}

/* Column `place` at observation k of an instrument, less what the columns that were solved for
 * explain of it. */
LANE_FUNCTION double derivative_left(const cuda_layout &layout, const derivative_workspace &at,
                                     size_t place, size_t instrument, size_t k)
{
    size_t n = layout.n_obs, trend = layout.model.columns[TERM_ORBITS].n,
           own = at.n_columns + instrument;
    double value = place < at.n_columns ? at.columns[place * n + k] : place == own ? 1.0 : 0.0;
    if (!layout.model.given[TERM_OFFSETS])
        value -= at.matrix[own * at.matrix_size + place];
    for (int j = 0; !layout.model.given[TERM_TREND] && j < layout.model.trend_order; j++)
        value -= at.matrix[(trend + j) * at.matrix_size + place] * at.columns[(trend + j) * n + k];
    return value;
}

/* In the order of the data set. */
LANE_FUNCTION void derivative_write_jacobian(const cuda_layout &layout,
                                             const derivative_workspace &at, double *jacobian)
{
    size_t n = layout.n_obs, n_places = derivative_n_places(layout);
    for (size_t i = 0; i < n_places; i++) {
        size_t place = derivative_place(layout, at, i);
        for (size_t s = 0; s < layout.n_segments; s++) {
            const cuda_segment &segment = layout.segments[s];
            for (size_t k = segment.first + team_thread(); k < segment.end; k += team_n_threads())
                jacobian[i * n + layout.row[k]] = derivative_left(layout, at, place, s, k);
        }
    }
    derivative_fill(jacobian + n_places * n, (layout.model.n_parameters - n_places) * n, 0.0);
}

/* What jitters add to all of them. */
LANE_FUNCTION void derivative_write_jitter(const cuda_layout &layout,
                                           const derivative_workspace &at, const double *jitter,
                                           const derivative_results &out)
{
    const double *residual = at.columns + (at.n_columns - 1) * layout.n_obs;
    for (size_t i = 0; i < layout.n_segments; i++) {
        const cuda_segment &segment = layout.segments[i];
        size_t place = derivative_n_places(layout) + i;
        double sums[3] = {0.0, 0.0, 0.0}, s = jitter[i];
        for (size_t k = segment.first + team_thread(); k < segment.end; k += team_n_threads()) {
            double w = at.weights[k], w_r = w * residual[k];
            sums[0] += w;
            sums[1] = lane_fma(w, w, sums[1]);
            sums[2] = lane_fma(w_r, w_r, sums[2]);
        }
        team_sum(sums);
        if (team_thread() != 0)
            continue;
        if (out.chi_square_gradient)
            out.chi_square_gradient[place] = -2.0 * s * sums[2];
        if (out.log_likelihood_gradient)
            out.log_likelihood_gradient[place] = s * (sums[2] - sums[0]);
        if (out.fisher)
            out.fisher[place * layout.model.n_parameters + place] = 2.0 * s * s * sums[1];
    }
}

LANE_FUNCTION void derivative_write(const cuda_layout &layout, const derivative_workspace &at,
                                    const double *jitter, const derivative_results &out)
{
    bool all = out.fisher || out.jacobian;
    matrix_products(layout, at, all);
    derivative_write_gradients(layout, at, out);
    if (all)
        matrix_eliminate(layout, at);
    if (out.fisher)
        derivative_write_fisher(layout, at, out.fisher);
    if (out.jacobian)
        derivative_write_jacobian(layout, at, out.jacobian);
    team_wait(); /* zeros are written where jitters go */
    if (jitter)
        derivative_write_jitter(layout, at, jitter, out);
}

/* One set; all threads of the team agree on where it leads. */
LANE_FUNCTION void derivative_set(const derivative_problem &problem, size_t s,
                                  const derivative_workspace &at)
{
    const cuda_layout &layout = problem.layout;
    const double *set = problem.parameters + s * layout.model.n_parameters;
    const derivative_results out = derivative_results_of(problem, s);
    if (!parameter_domain_has(&layout.model, layout.period_floor_days, set)) {
        derivative_outside_domain(layout, out);
        return;
    }
    parameter_view given = parameter_layout_view(&layout.model, set);
    double trend[2], chi_square, log_variances;
    derivative_prepare(problem, set, at);
    team_wait();
    derivative_planets(layout, at);
    derivative_trend(layout, at);
    derivative_weights(layout, given.jitters, at);
    team_wait();
    derivative_linear(layout, given, at, trend);
    derivative_residuals(layout, given.jitters, at, trend, &chi_square, &log_variances);
    if (isnan(chi_square)) { /* an amplitude beyond the range of doubles */
        derivative_outside_domain(layout, out);
        return;
    }
    derivative_fill(out.chi_square, 1, chi_square);
    derivative_fill(out.log_likelihood, 1,
                    chi_square_log_likelihood(chi_square, log_variances, (double)layout.n_obs));
    derivative_write(layout, at, given.jitters, out);
}

__global__ void __launch_bounds__(TEAM_MOST_THREADS, 2)
    derivative_kernel(const __grid_constant__ derivative_problem problem)
{
    size_t team = blockIdx.x / team_n_blocks(), n_teams = gridDim.x / team_n_blocks();
    double *memory = problem.memory + team * derivative_words(problem.layout);
    const derivative_workspace at = derivative_workspace_in(problem.layout, memory);
    for (size_t s = team; s < problem.n_sets; s += n_teams) {
        derivative_set(problem, s, at);
        team_wait(); /* all are done with the working memory */
    }
}

#endif
