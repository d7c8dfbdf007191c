#include "backends/cpu/cpu_noise_derivative.h"

#include <math.h>
#include <string.h>

#include "lanes/scalar.h"
#include "lanes/double.h"
#include "backends/cpu/normal_sweep.h"
#include "physics/chi_square.h"
#include "statistics/noise_gradient.h"

/* One set: its numbers of noise, which may be changed, and where things are. */
typedef struct noise_derivative {
    const cpu_problem *problem;
    const cpu_noise_derivatives *memory;
    noise_process process;
    double values[NOISE_KIND_MOST_TERMS * NOISE_KIND_MOST_PARAMETERS];
    size_t n_columns, n_orbits, n_jitters, n_values;
} noise_derivative;

static noise_adjoint_rows noise_derivative_rows(const noise_derivative *own)
{
    const cpu_noise *noise = &own->problem->noise;
    return (noise_adjoint_rows){.n = own->problem->n_obs,
                                .gap_days = noise->gap,
                                .values = own->memory->values,
                                .variances = own->memory->variances,
                                .night_place = noise->place,
                                .begins_night = noise->begins_night,
                                .owners = noise->owner};
}

/* sigma^2 + jitter^2, and the process, from values and jitters as they are now. */
static void noise_derivative_renew(noise_derivative *own)
{
    const cpu_problem *problem = own->problem;
    for (size_t k = 0; k < problem->n_obs; k++) {
        double jitter = own->n_jitters > 0 ? own->memory->jitters[problem->instrument[k]] : 0.0;
        own->memory->variances[k] = problem->noise.variance[k] + jitter * jitter;
    }
    noise_terms_expand(&own->process, &problem->layout.noise, own->values, problem->noise.n_places);
}

static bool noise_derivative_forward(noise_derivative *own, double *chi_square,
                                     double *log_determinant)
{
    const noise_adjoint_rows rows = noise_derivative_rows(own);
    return noise_adjoint_forward(&own->process, &rows, own->memory->kept, chi_square,
                                 log_determinant);
}

/* ---- columns ------------------------------------------------------------- */

static double noise_derivative_linear(const cpu_problem *problem, size_t m, size_t k)
{
    size_t n = problem->n_segments;
    if (m < n)
        return problem->instrument[k] == m ? 1.0 : 0.0;
    double t =
        problem->layout.given[TERM_TREND] ? problem->time[problem->row[k]] : problem->noise.tau[k];
    return m == n ? t : t * t;
}

static void noise_derivative_columns(const noise_derivative *own,
                                     const cpu_derivative_scratch *scratch)
{
    const cpu_problem *problem = own->problem;
    size_t n = problem->n_obs;
    for (size_t j = 0; j < own->n_columns; j++)
        for (size_t k = 0; k < n; k++)
            own->memory->raw[j * n + k] =
                j < own->n_orbits ? scratch->columns[j * scratch->column_stride + problem->row[k]]
                : j + 1 < own->n_columns ? noise_derivative_linear(problem, j - own->n_orbits, k)
                                         : own->memory->values[k];
}

/* L^-1 of all columns, by what the forward pass has kept; states are [n_states][n_columns]. */
static void noise_derivative_whiten(const noise_derivative *own)
{
    const size_t n = (size_t)own->process.n_states, n_obs = own->problem->n_obs, m = own->n_columns,
                 size = noise_state_size(n);
    const noise_adjoint_rows rows = noise_derivative_rows(own);
    double u[NOISE_PROCESS_MOST_STATES], v[NOISE_PROCESS_MOST_STATES],
        *states = own->memory->states;
    noise_propagator over;
    memset(states, 0, m * n * sizeof *states);
    for (size_t k = 0; k < n_obs; k++) {
        const double *w = own->memory->kept + k * size + n * n + n, d = w[n];
        const noise_row row = noise_adjoint_row(&rows, k);
        noise_propagator_make(&own->process, &row, &over);
        noise_propagate(over.n_blocks, over.block_states, over.r, m, states);
        noise_process_view(&own->process, &row, u, v);
        for (size_t j = 0; j < m; j++) {
            double z = own->memory->raw[j * n_obs + k];
            for (size_t i = 0; i < n; i++)
                z -= u[i] * states[i * m + j];
            for (size_t i = 0; i < n; i++)
                states[i * m + j] += w[i] * z;
            own->memory->white[j * n_obs + k] = z / sqrt(d);
        }
    }
}

/* The products of all columns, then what is left of them beside those that are solved for. */
static void noise_derivative_products(const noise_derivative *own)
{
    size_t n = own->n_columns, n_obs = own->problem->n_obs;
    double *matrix = own->memory->matrix, scale[CPU_NOISE_MOST_SOLVED];
    const cpu_noise *noise = &own->problem->noise;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double *left = own->memory->white + i * n_obs,
                         *right = own->memory->white + j * n_obs;
            double sum = 0.0;
            for (size_t k = 0; k < n_obs; k++)
                sum += left[k] * right[k];
            matrix[i * n + j] = matrix[j * n + i] = sum;
        }
    for (size_t m = 0; m < noise->n_solved; m++)
        scale[m] = matrix[(own->n_orbits + noise->solved[m]) * (n + 1)];
    for (size_t m = 0; m < noise->n_solved; m++)
        normal_sweep(matrix, n, own->n_orbits + noise->solved[m], scale[m]);
}

/* Column j less what the solved columns explain of it, in place or elsewhere. */
static void noise_derivative_rest(const noise_derivative *own, size_t j, double *written)
{
    size_t n_obs = own->problem->n_obs;
    const cpu_noise *noise = &own->problem->noise;
    for (size_t k = 0; k < n_obs; k++) {
        double value = own->memory->raw[j * n_obs + k];
        for (size_t m = 0; m < noise->n_solved; m++) {
            size_t pivot = own->n_orbits + noise->solved[m];
            value -= own->memory->matrix[pivot * own->n_columns + j] *
                     own->memory->raw[pivot * n_obs + k];
        }
        written[k] = value;
    }
}

/* ---- noise --------------------------------------------------------------- */

/* The gradient of share_chi chi-square + share_log ln |C| with respect to jitters and parameters of
 * noise, after a forward pass. */
static void noise_derivative_gradient(noise_derivative *own, double share_chi, double share_log,
                                      double *gradient)
{
    const cpu_problem *problem = own->problem;
    const noise_adjoint_rows rows = noise_derivative_rows(own);
    noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS];
    noise_adjoint_backward(&own->process, &rows, own->memory->kept, share_chi, share_log, NULL,
                           own->memory->by_variance, by_block);
    for (size_t i = 0; i < own->n_jitters; i++)
        gradient[i] = 0.0;
    for (size_t k = 0; k < problem->n_obs && own->n_jitters > 0; k++)
        gradient[problem->instrument[k]] +=
            2.0 * own->memory->jitters[problem->instrument[k]] * own->memory->by_variance[k];
    for (size_t i = 0; i < own->n_values; i++)
        gradient[own->n_jitters + i] = noise_gradient_parameter(
            &problem->layout.noise, own->values, i, problem->noise.n_places, by_block);
}

/* Minus the second derivatives of ln L with respect to jitters and parameters of noise: differences
 * of the gradient. */
static void noise_derivative_information(noise_derivative *own, size_t first, double *fisher)
{
    const double step = 1e-4;
    size_t n = own->n_jitters + own->n_values, size = own->problem->layout.n_parameters;
    double *up = own->memory->gradients, *down = up + n, chi_square, log_determinant;
    for (size_t i = 0; i < n; i++) {
        double *changed =
            i < own->n_jitters ? &own->memory->jitters[i] : &own->values[i - own->n_jitters];
        double value = *changed, by = step * (value != 0.0 ? fabs(value) : 1.0);
        bool is_there = true;
        for (int side = -1; side <= 1; side += 2) {
            *changed = value + side * by;
            noise_derivative_renew(own);
            is_there = noise_derivative_forward(own, &chi_square, &log_determinant) && is_there;
            noise_derivative_gradient(own, -0.5, -0.5, side > 0 ? up : down);
        }
        *changed = value;
        for (size_t j = 0; j < n; j++)
            fisher[(first + i) * size + first + j] =
                is_there ? (down[j] - up[j]) / (2.0 * by) : NAN;
    }
    noise_derivative_renew(own);
    for (size_t i = first; i < first + n; i++)
        for (size_t j = first; j < i; j++)
            fisher[i * size + j] = fisher[j * size + i] =
                0.5 * (fisher[i * size + j] + fisher[j * size + i]);
}

/* ---- results ------------------------------------------------------------- */

/* Columns of the parameters that the mean has in a set, in their order; returns how many. */
static size_t noise_derivative_places(const noise_derivative *own, size_t *places)
{
    const cpu_problem *problem = own->problem;
    size_t n = 0;
    for (size_t j = 0; j < own->n_orbits; j++)
        places[n++] = j;
    for (size_t m = 0; m < problem->layout.n_linear; m++)
        if (problem->layout.given[m < problem->n_segments ? TERM_OFFSETS : TERM_TREND])
            places[n++] = own->n_orbits + m;
    return n;
}

static void noise_derivative_write(noise_derivative *own, const cpu_derivative_scratch *scratch,
                                   const equant_derivatives *out)
{
    const parameter_layout *layout = &own->problem->layout;
    size_t n = own->n_columns, all = layout->n_parameters, n_obs = own->problem->n_obs;
    size_t n_places = noise_derivative_places(own, scratch->places);
    const double *matrix = own->memory->matrix, *products = matrix + (n - 1) * n;
    for (size_t i = 0; i < n_places; i++) {
        double product = products[scratch->places[i]];
        if (out->chi_square_gradient)
            out->chi_square_gradient[i] = -2.0 * product;
        if (out->log_likelihood_gradient)
            out->log_likelihood_gradient[i] = product;
        if (out->jacobian)
            noise_derivative_rest(own, scratch->places[i], out->jacobian + i * n_obs);
    }
    if (out->jacobian)
        memset(out->jacobian + n_places * n_obs, 0, (all - n_places) * n_obs * sizeof(double));
    if (out->chi_square_gradient)
        noise_derivative_gradient(own, 1.0, 0.0, out->chi_square_gradient + n_places);
    if (out->log_likelihood_gradient)
        noise_derivative_gradient(own, -0.5, -0.5, out->log_likelihood_gradient + n_places);
    if (!out->fisher)
        return;
    memset(out->fisher, 0, all * all * sizeof(double));
    for (size_t i = 0; i < n_places; i++)
        for (size_t j = i; j < n_places; j++)
            out->fisher[i * all + j] = out->fisher[j * all + i] =
                matrix[scratch->places[i] * n + scratch->places[j]];
    noise_derivative_information(own, n_places, out->fisher);
}

bool noise_derivative_set(const cpu_problem *problem, const cpu_derivative_scratch *memory,
                          const double *parameters, const equant_derivatives *out)
{
    const parameter_layout *layout = &problem->layout;
    const parameter_view given = parameter_layout_view(layout, parameters);
    noise_derivative own = {.problem = problem,
                            .memory = &memory->noise,
                            .n_orbits = cpu_orbit_columns(problem),
                            .n_jitters = layout->columns[TERM_JITTERS].n,
                            .n_values = layout->columns[TERM_NOISE].n};
    double chi_square, log_determinant;
    own.n_columns = own.n_orbits + layout->n_linear + 1;
    memcpy(own.values, given.noise, own.n_values * sizeof *own.values);
    for (size_t i = 0; i < own.n_jitters; i++)
        own.memory->jitters[i] = given.jitters[i];
    noise_derivative_renew(&own);
    if (!noise_derivative_forward(&own, &chi_square, &log_determinant))
        return false;
    noise_derivative_columns(&own, memory);
    noise_derivative_whiten(&own);
    noise_derivative_products(&own);
    if (problem->noise.n_solved > 0) {
        noise_derivative_rest(&own, own.n_columns - 1, own.memory->values);
        if (!noise_derivative_forward(&own, &chi_square, &log_determinant))
            return false;
    }
    if (out->chi_square)
        *out->chi_square = chi_square;
    if (out->log_likelihood)
        *out->log_likelihood =
            chi_square_log_likelihood(chi_square, log_determinant, (double)problem->n_obs);
    noise_derivative_write(&own, memory, out);
    return true;
}
