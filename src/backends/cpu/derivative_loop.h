/* Derivatives of one parameter set: the columns of the Jacobian, one lane per observation,
 * and what least squares makes of them. In double only.
 *
 * The columns lie in the padded order of the observations: five a planet, then the trend,
 * then the residuals, then zeros up to a whole panel. The matrix of their products goes on
 * with one row per instrument, whose column of ones is never written down. */
#ifndef EQUANT_BACKENDS_CPU_DERIVATIVE_LOOP_H
#define EQUANT_BACKENDS_CPU_DERIVATIVE_LOOP_H

#include <math.h>
#include <string.h>

#include "backends/cpu/fit_loop.h"
#include "backends/cpu/normal_matrix.h"
#include "backends/cpu/normal_sweep.h"
#include "backends/cpu/planet_tile.h"
#include "backends/cpu/velocity_loop.h"
#include "physics/velocity_derivatives.h"

_Static_assert((int)VELOCITY_BASIS_ELEMENTS == EQUANT_BASIS_ELEMENTS &&
                   (int)VELOCITY_BASIS_REGULAR == EQUANT_BASIS_REGULAR &&
                   (int)VELOCITY_BASIS_ROOTS == EQUANT_BASIS_ROOTS &&
                   (int)VELOCITY_BASIS_LINEAR == EQUANT_BASIS_LINEAR,
               "physics and the public header name the same bases");

/* ---- columns ------------------------------------------------------------- */

static void derivative_prepare(const cpu_problem *problem, equant_basis basis, size_t n_sets,
                               const cpu_scratch *scratch, const cpu_derivative_scratch *memory)
{
    size_t stride = planet_tile_stride(problem);
    const double *elements = scratch->elements;
    for (size_t i = 0; i < n_sets * problem->layout.n_planets; i += F64_LANES) {
        f64 constants[N_DERIVATIVE_CONSTANTS];
        velocity_derivatives_prepare(
            (enum velocity_basis)basis, f64_load(elements + i), f64_load(elements + stride + i),
            f64_load(elements + 2 * stride + i), f64_load(elements + 3 * stride + i),
            f64_load(elements + 4 * stride + i), constants);
        for (int c = 0; c < N_DERIVATIVE_CONSTANTS; c++)
            f64_store(memory->constants + (size_t)c * stride + i, constants[c]);
    }
}

/* The five columns of one planet, from where its strip of points is. */
LANE_FUNCTION void derivative_planet(planet_view planet, planet_view derivative,
                                     const velocity_strip *strip, const double *time, size_t n,
                                     double *columns, size_t column_stride)
{
    real e = REAL(planet_constant(planet, CONSTANT_E));
    real one_minus_e = REAL(planet_constant(planet, CONSTANT_ONE_MINUS_E));
    real a = REAL(planet_constant(planet, CONSTANT_A));
    real b = REAL(planet_constant(planet, CONSTANT_B));
    real period = REAL(planet_constant(derivative, DERIVATIVE_PERIOD));
    real K_cosine = REAL(planet_constant(derivative, DERIVATIVE_K_COSINE));
    real inverse_q = REAL(planet_constant(derivative, DERIVATIVE_INVERSE_Q));
    real matrix[N_SHAPE_COORDINATES][N_PARTS];
    for (int i = 0; i < N_SHAPE_COORDINATES; i++)
        for (int j = 0; j < N_PARTS; j++)
            matrix[i][j] = REAL(planet_constant(derivative, DERIVATIVE_MATRIX + i * N_PARTS + j));
    for (size_t k = 0; k < n; k += REAL_LANES) {
        kepler_point point = {.sine = real_load(strip->sine + k),
                              .one_minus_cos = real_load(strip->one_minus_cos + k)};
        real parts[N_PARTS];
        velocity_derivatives_parts(point, real_load(strip->M + k), e, one_minus_e, a, b, K_cosine,
                                   inverse_q, parts);
        real_store(columns + k, period * real_load(time + k) * parts[PART_MEAN]);
        for (size_t i = 0; i < N_SHAPE_COORDINATES; i++) {
            real derivative_k = matrix[i][0] * parts[0];
            for (int j = 1; j < N_PARTS; j++)
                derivative_k = lane_fma(matrix[i][j], parts[j], derivative_k);
            real_store(columns + (1 + i) * column_stride + k, derivative_k);
        }
    }
}

/* Velocities of all planets, as in velocity_loop.h, and their columns along with them. */
LANE_FUNCTION void derivative_planets(const cpu_problem *problem, const cpu_scratch *scratch,
                                      const cpu_derivative_scratch *memory, size_t set,
                                      int compensated)
{
    velocity_strip strip;
    scalar *sum = scratch->planets, *low = scratch->planets_low;
    size_t stride = planet_tile_stride(problem);
    for (size_t first = 0; first < problem->n_padded; first += CPU_STRIP) {
        size_t left = problem->n_padded - first;
        size_t n = left < CPU_STRIP ? left : CPU_STRIP;
        memset(sum + first, 0, n * sizeof *sum);
        if (compensated)
            memset(low + first, 0, n * sizeof *low);
        for (size_t p = 0; p < problem->layout.n_planets; p++) {
            size_t place = set * problem->layout.n_planets + p;
            planet_view planet = {scratch->constants + place, stride};
            planet_view derivative = {memory->constants + place, stride};
            double *columns = memory->columns + N_ELEMENTS * p * memory->column_stride + first;
            velocity_solve(problem, planet, first, n, &strip);
            velocity_add(planet, &strip, n, sum + first, compensated ? low + first : NULL,
                         compensated);
            derivative_planet(planet, derivative, &strip, problem->time + first, n, columns,
                              memory->column_stride);
        }
    }
}

/* Columns of the trend: powers of the time, of the scaled one where the trend is solved,
 * for there it is only taken away. */
static void derivative_trend(const cpu_problem *problem, const cpu_derivative_scratch *memory)
{
    const double *time = problem->layout.given[TERM_TREND] ? problem->time : problem->time_real;
    double *column = memory->columns + cpu_orbit_columns(problem) * memory->column_stride;
    for (size_t k = 0; k < problem->n_padded; k += F64_LANES) {
        f64 t = f64_load(time + k), power = t;
        for (size_t j = 0; j < (size_t)problem->layout.trend_order; j++, power = power * t)
            f64_store(column + j * memory->column_stride + k, power);
    }
}

/* The residuals of all instruments in one column, and their weights in one array. Where
 * two instruments share a stretch of the arrays each has weights of zero for the other. */
LANE_FUNCTION void derivative_residuals(const cpu_problem *problem, const cpu_scratch *scratch,
                                        const cpu_derivative_scratch *memory,
                                        const fit_found *found)
{
    double *column = memory->columns + cpu_residual_column(problem) * memory->column_stride;
    memset(column, 0, problem->n_padded * sizeof *column);
    memset(memory->weights, 0, problem->n_padded * sizeof *memory->weights);
    for (size_t i = 0; i < problem->n_segments; i++) {
        const cpu_segment *segment = &problem->segments[i];
        real offset = REAL(scratch->offsets[i]);
        real d1 = REAL(found->trend[0]), d2 = REAL(found->trend[1]);
        for (size_t k = 0; k < segment->n_padded; k += REAL_LANES) {
            size_t place = segment->first + k;
            real w = real_load(found->weights + segment->storage + k);
            real r =
                chi_square_residual(real_load((const scalar *)problem->velocity + place),
                                    real_load((const scalar *)scratch->planets + place), offset,
                                    real_load((const scalar *)problem->time_real + place), d1, d2);
            real_mask own = lane_less(REAL(0.0), w);
            real_store(column + place, lane_select(own, r, real_load(column + place)));
            real_store(memory->weights + place, w + real_load(memory->weights + place));
        }
    }
}

/* ---- products ------------------------------------------------------------ */

/* Products of all columns, or, where only gradients are wanted, those with the residuals. */
static void derivative_products(const cpu_problem *problem, const fit_found *found,
                                const cpu_derivative_scratch *memory, bool all)
{
    normal_columns columns = {memory->columns, memory->column_stride, problem->n_padded};
    size_t residual = cpu_residual_column(problem), n_columns = memory->n_columns;
    normal_products(columns, memory->weights, n_columns, all ? 0 : residual / CPU_PANEL * CPU_PANEL,
                    n_columns, memory->matrix, memory->matrix_size);
    for (size_t i = 0; i < problem->n_segments; i++) {
        const cpu_segment *segment = &problem->segments[i];
        const double *weights = found->weights + segment->storage;
        size_t place = n_columns + i;
        normal_columns own = {memory->columns + segment->first, memory->column_stride,
                              segment->n_padded};
        normal_sums(own, weights, n_columns, place, memory->matrix, memory->matrix_size);
        for (size_t j = 0; j < problem->n_segments; j++)
            memory->matrix[place * memory->matrix_size + n_columns + j] = 0.0;
        memory->matrix[place * memory->matrix_size + place] =
            normal_total(weights, segment->n_padded);
    }
}

/* Takes away what the solved offsets and the solved trend explain of all other columns. */
static void derivative_eliminate(const cpu_problem *problem, const cpu_derivative_scratch *memory)
{
    size_t size = memory->matrix_size, trend = cpu_orbit_columns(problem);
    double scale[2] = {0.0, 0.0};
    for (size_t j = 0; j < (size_t)problem->layout.trend_order; j++)
        scale[j] = memory->matrix[(trend + j) * size + trend + j];
    for (size_t i = 0; !problem->layout.given[TERM_OFFSETS] && i < problem->n_segments; i++)
        normal_sweep(memory->matrix, size, memory->n_columns + i, 0.0);
    for (size_t j = 0;
         !problem->layout.given[TERM_TREND] && j < (size_t)problem->layout.trend_order; j++)
        normal_sweep(memory->matrix, size, trend + j, scale[j]);
}

/* ---- results ------------------------------------------------------------- */

/* Where the parameters that have a column in the Jacobian are in the matrix: planets,
 * offsets and trend, as far as they are given. Returns how many there are. */
static size_t derivative_places(const cpu_problem *problem, const cpu_derivative_scratch *memory)
{
    size_t n = 0;
    for (size_t j = 0; j < cpu_orbit_columns(problem); j++)
        memory->places[n++] = j;
    for (size_t i = 0; problem->layout.given[TERM_OFFSETS] && i < problem->n_segments; i++)
        memory->places[n++] = memory->n_columns + i;
    for (size_t j = 0; problem->layout.given[TERM_TREND] && j < (size_t)problem->layout.trend_order;
         j++)
        memory->places[n++] = cpu_orbit_columns(problem) + j;
    return n;
}

/* Sums over one instrument by which the jitter enters. */
typedef struct jitter_sums {
    double w, w2, w2_r2; /* of weights, their squares, squares times squared residuals */
} jitter_sums;

LANE_FUNCTION jitter_sums derivative_jitter_sums(const cpu_problem *problem,
                                                 const cpu_derivative_scratch *memory,
                                                 const cpu_segment *segment, const double *weights)
{
    const double *residual =
        memory->columns + cpu_residual_column(problem) * memory->column_stride + segment->first;
    summation w_sum = summation_zero(), w2_sum = w_sum, w2_r2_sum = w_sum;
    for (size_t k = 0; k < segment->n_padded; k += SUMMATION_WIDTH)
        for (int g = 0; g < SUMMATION_GROUPS; g++) {
            size_t i = k + (size_t)g * REAL_LANES;
            real w = real_load(weights + i), w_r = w * real_load(residual + i);
            summation_add_product(&w_sum, g, w, REAL(1.0), 0);
            summation_add_product(&w2_sum, g, w, w, 0);
            summation_add_product(&w2_r2_sum, g, w_r, w_r, 0);
        }
    return (jitter_sums){summation_total(&w_sum), summation_total(&w2_sum),
                         summation_total(&w2_r2_sum)};
}

/* Gradients, from the products with the residuals: before anything is eliminated, for the
 * residuals have nothing left to explain. */
static void derivative_write_gradients(const cpu_problem *problem,
                                       const cpu_derivative_scratch *memory, size_t n_places,
                                       const equant_derivatives *out)
{
    const double *products = memory->matrix + cpu_residual_column(problem) * memory->matrix_size;
    for (size_t i = 0; i < n_places; i++) {
        double product = products[memory->places[i]];
        if (out->chi_square_gradient)
            out->chi_square_gradient[i] = -2.0 * product;
        if (out->log_likelihood_gradient)
            out->log_likelihood_gradient[i] = product;
    }
}

/* Elimination rounds the two halves differently; one of them is taken for both. */
static void derivative_write_fisher(const cpu_problem *problem,
                                    const cpu_derivative_scratch *memory, size_t n_places,
                                    double *fisher)
{
    size_t n = problem->layout.n_parameters;
    memset(fisher, 0, n * n * sizeof *fisher);
    for (size_t i = 0; i < n_places; i++) {
        const double *row = memory->matrix + memory->places[i] * memory->matrix_size;
        for (size_t j = i; j < n_places; j++)
            fisher[i * n + j] = fisher[j * n + i] = row[memory->places[j]];
    }
}

/* What jitters add to all of them. */
static void derivative_write_jitter(const cpu_problem *problem,
                                    const cpu_derivative_scratch *memory, const fit_found *found,
                                    size_t n_places, const equant_derivatives *out)
{
    for (size_t i = 0; i < problem->n_segments; i++) {
        const cpu_segment *segment = &problem->segments[i];
        size_t place = n_places + i;
        double s = found->given.jitters[i];
        jitter_sums sums =
            derivative_jitter_sums(problem, memory, segment, found->weights + segment->storage);
        if (out->chi_square_gradient)
            out->chi_square_gradient[place] = -2.0 * s * sums.w2_r2;
        if (out->log_likelihood_gradient)
            out->log_likelihood_gradient[place] = s * (sums.w2_r2 - sums.w);
        if (out->fisher)
            out->fisher[place * problem->layout.n_parameters + place] = 2.0 * s * s * sums.w2;
    }
}

/* One column at all observations in the order of the data set, less what the columns that
 * were solved for explain of it. */
static void derivative_write_column(const cpu_problem *problem,
                                    const cpu_derivative_scratch *memory, size_t place,
                                    double *written)
{
    size_t n_columns = memory->n_columns, trend = cpu_orbit_columns(problem);
    const double *column = memory->columns + place * memory->column_stride;
    for (size_t k = 0; k < problem->n_obs; k++) {
        size_t row = problem->row[k], instrument = n_columns + problem->instrument[k];
        double value = place < n_columns ? column[row] : place == instrument ? 1.0 : 0.0;
        if (!problem->layout.given[TERM_OFFSETS])
            value -= memory->matrix[instrument * memory->matrix_size + place];
        for (size_t j = 0;
             !problem->layout.given[TERM_TREND] && j < (size_t)problem->layout.trend_order; j++)
            value -= memory->matrix[(trend + j) * memory->matrix_size + place] *
                     memory->columns[(trend + j) * memory->column_stride + row];
        written[k] = value;
    }
}

static void derivative_write_jacobian(const cpu_problem *problem,
                                      const cpu_derivative_scratch *memory, size_t n_places,
                                      double *jacobian)
{
    for (size_t i = 0; i < n_places; i++)
        derivative_write_column(problem, memory, memory->places[i], jacobian + i * problem->n_obs);
    memset(jacobian + n_places * problem->n_obs, 0,
           (problem->layout.n_parameters - n_places) * problem->n_obs * sizeof *jacobian);
}

/* What a set outside the domain gets. */
static void derivative_outside_domain(const cpu_problem *problem, const equant_derivatives *out)
{
    size_t n = problem->layout.n_parameters;
    const struct {
        double *values;
        size_t n;
    } undefined[] = {{out->chi_square_gradient, n},
                     {out->log_likelihood_gradient, n},
                     {out->fisher, n * n},
                     {out->jacobian, n * problem->n_obs}};
    if (out->chi_square)
        *out->chi_square = INFINITY;
    if (out->log_likelihood)
        *out->log_likelihood = -INFINITY;
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
        for (size_t j = 0; undefined[i].values && j < undefined[i].n; j++)
            undefined[i].values[j] = NAN;
}

/* ---- a set --------------------------------------------------------------- */

static void derivative_write(const cpu_problem *problem, const cpu_derivative_scratch *memory,
                             const fit_found *found, const equant_derivatives *out)
{
    bool with_fisher = out->fisher || out->jacobian;
    size_t n_places = derivative_places(problem, memory);
    derivative_products(problem, found, memory, with_fisher);
    derivative_write_gradients(problem, memory, n_places, out);
    if (with_fisher)
        derivative_eliminate(problem, memory);
    if (out->fisher)
        derivative_write_fisher(problem, memory, n_places, out->fisher);
    if (out->jacobian)
        derivative_write_jacobian(problem, memory, n_places, out->jacobian);
    if (found->given.jitters)
        derivative_write_jitter(problem, memory, found, n_places, out);
}

/* Set `set` of the tile; `out` points at its own rows. */
LANE_FUNCTION void derivative_set_with(const cpu_problem *problem, const cpu_scratch *scratch,
                                       const cpu_derivative_scratch *memory, size_t set,
                                       const double *parameters, const equant_derivatives *out,
                                       int compensated)
{
    derivative_planets(problem, scratch, memory, set, compensated);
    fit_found found =
        fit_find(problem, scratch, parameters, out->log_likelihood != NULL, compensated);
    if (isnan(found.chi2)) { /* an amplitude beyond the range of the precision */
        derivative_outside_domain(problem, out);
        return;
    }
    if (out->chi_square)
        *out->chi_square = found.chi2;
    if (out->log_likelihood)
        *out->log_likelihood =
            chi_square_log_likelihood(found.chi2, found.log_variances, (double)problem->n_obs);
    derivative_trend(problem, memory);
    derivative_residuals(problem, scratch, memory, &found);
    derivative_write(problem, memory, &found, out);
}

#endif
