#include "inference/study/set_likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/small_matrix.h"
#include "model/circle.h"

static bool has_menu(const study *star)
{
    return star->menu.n_parameters + star->menu.n_indicators > 0;
}

bool set_likelihood_is_white(const study *star, const study_shape *shape)
{
    return shape->noise.terms == 0 && shape->noise.indicators == 0 && !shape->noise.outliers &&
           !star->menu.series;
}

/* Columns beside those of a set: offsets of indicators that are series. */
static size_t n_of_series(const study *star)
{
    return star->menu.series ? star->menu.series->found.n_series : 0;
}

/* ---- sets as evaluators take them -------------------------------------------------------------
 */

typedef struct squeezed {
    size_t n_all, n_mean, n_inner; /* columns of a set, those before jitters, an evaluator's */
    size_t first_indicator;
} squeezed;

static squeezed squeezed_of(const study *star, const study_shape *shape)
{
    parameter_layout layout = study_layout(star, shape->n_planets, shape->trend_order);
    return (squeezed){
        .n_all = layout.n_parameters,
        .n_mean = parameter_layout_first_noise(&layout),
        .n_inner = layout.n_parameters - star->menu.n_indicators - star->menu.n_parameters,
        .first_indicator = study_first_indicator(star, shape->n_planets, shape->trend_order)};
}

/* Columns that an evaluator knows. */
static void squeeze(const study *star, const squeezed *from, const double *set, double *inner)
{
    memcpy(inner, set, from->first_indicator * sizeof *inner);
    memcpy(inner + from->first_indicator, set + from->n_mean, star->n_instruments * sizeof *inner);
}

/* ---- noise -------------------------------------------------------------------------------------
 */

noise_factor_rows set_likelihood_rows(const study *star, const double *values, double *alpha,
                                      double *beta)
{
    const series_rows *series = star->menu.series;
    if (!series)
        return (noise_factor_rows){.n = star->n_obs,
                                   .time_days = equant_dataset_times_days(star->dataset),
                                   .instruments = star->menu.night_state,
                                   .begins_night = star->menu.begins_night,
                                   .owners = equant_dataset_instruments(star->dataset)};
    const double *of_term = values + star->menu.terms[star->menu.series_term].first;
    series_rows_weigh(series, values + star->menu.first_series, of_term[0], of_term[1], alpha,
                      beta);
    return (noise_factor_rows){.n = series->n,
                               .time_days = series->time_days,
                               .alpha = alpha,
                               .beta = beta,
                               .instruments = series->night_state,
                               .begins_night = series->begins_night,
                               .owners = series->owners};
}

/* Velocities alone; alpha and beta are one number each. */
static noise_factor_rows velocity_rows(const study *star, const double *values, double *alpha,
                                       double *beta)
{
    noise_factor_rows rows = {.n = star->n_obs,
                              .time_days = equant_dataset_times_days(star->dataset),
                              .instruments = star->menu.night_state,
                              .begins_night = star->menu.begins_night,
                              .owners = equant_dataset_instruments(star->dataset)};
    if (star->menu.series) {
        double lead = values[star->menu.first_series + SERIES_LEAD],
               period_days = values[star->menu.terms[star->menu.series_term].first + 1];
        *alpha = cos(lead);
        *beta = sin(lead) * period_days / TWO_PI;
        rows.alpha = alpha;
        rows.beta = beta;
        rows.is_uniform = true;
    }
    return rows;
}

static double variance_at(const study *star, const double *sigma, const double *jitters, size_t k)
{
    double jitter = jitters[equant_dataset_instruments(star->dataset)[k]];
    return sigma[k] * sigma[k] + jitter * jitter;
}

void set_likelihood_variances(const study *star, noise_choice noise, const double *jitters,
                              double *variances)
{
    const double *sigma = study_uncertainties(star, noise);
    const series_rows *series = star->menu.series;
    for (size_t k = 0; k < star->n_obs; k++)
        variances[series ? series->row[k] : k] = variance_at(star, sigma, jitters, k);
    if (series)
        series_rows_variances(series, jitters + star->n_instruments + star->menu.first_series,
                              variances);
}

static bool factor_process(const study *star, const study_shape *shape, const double *set,
                           bool is_scanned, double *variances, noise_factor *factor)
{
    squeezed from = squeezed_of(star, shape);
    const double *jitters = set + from.n_mean, *values = jitters + star->n_instruments;
    const double *sigma = study_uncertainties(star, shape->noise);
    double alpha, beta;
    const noise_factor_rows rows = velocity_rows(star, values, &alpha, &beta);
    noise_process process;
    if (is_scanned)
        noise_menu_scanned_process(&star->menu, shape->noise, values, &process);
    else
        noise_menu_process(&star->menu, shape->noise, values, &process);
    for (size_t k = 0; k < star->n_obs; k++)
        variances[k] = variance_at(star, sigma, jitters, k);
    noise_factor_propagate(factor, &process, &rows);
    return noise_factor_decompose(factor, &process, &rows, variances);
}

bool set_likelihood_factor(const study *star, const study_shape *shape, const double *set,
                           double *variances, noise_factor *factor)
{
    return factor_process(star, shape, set, false, variances, factor);
}

bool set_likelihood_scanned_factor(const study *star, const study_shape *shape, const double *set,
                                   double *variances, noise_factor *factor)
{
    return factor_process(star, shape, set, true, variances, factor);
}

/* What one thread works with; it keeps the factor of the noise that it has met last. */
struct set_worker {
    size_t n_columns; /* that there is room for */
    noise_factor factor;
    noise_process process; /* of the factor, with its variances; -1 blocks: none yet */
    bool is_proper;
    double *variances, *next_variances;            /* of rows */
    double *alpha, *beta, *next_alpha, *next_beta; /* likewise, of series */
    double *inner, *residuals, *jacobian, *columns, *state, *products;
    double *spread; /* the columns of all rows; NULL without series */
};

static void free_columns(set_worker *w)
{
    free(w->inner);
    free(w->jacobian);
    free(w->columns);
    free(w->state);
    free(w->products);
    free(w->spread);
    w->inner = w->jacobian = w->columns = w->state = w->products = w->spread = NULL;
    w->n_columns = 0;
}

void set_likelihood_dismiss(set_worker *w)
{
    if (!w)
        return;
    free_columns(w);
    noise_factor_free(&w->factor);
    free(w->variances);
    free(w->next_variances);
    free(w->alpha);
    free(w->residuals);
    free(w);
}

static equant_status hire(const study *star, set_worker **made)
{
    size_t n = noise_menu_n_rows(&star->menu, star->n_obs);
    set_worker *w = calloc(1, sizeof *w);
    if (!w)
        return status_out_of_memory();
    equant_status status = noise_menu_factor(&star->menu, n, &w->factor);
    w->process.n_blocks = -1;
    w->variances = malloc(n * sizeof *w->variances);
    w->next_variances = malloc(n * sizeof *w->next_variances);
    w->alpha = calloc(4 * n, sizeof *w->alpha);
    w->residuals = malloc(star->n_obs * sizeof *w->residuals);
    if (!w->variances || !w->next_variances || !w->alpha || !w->residuals)
        status = status_out_of_memory();
    w->beta = w->alpha ? w->alpha + n : NULL;
    w->next_alpha = w->alpha ? w->alpha + 2 * n : NULL;
    w->next_beta = w->alpha ? w->alpha + 3 * n : NULL;
    if (status == EQUANT_SUCCESS)
        *made = w;
    else
        set_likelihood_dismiss(w);
    return status;
}

static bool make_columns(const study *star, set_worker *w, size_t n)
{
    size_t n_obs = star->n_obs, all = n + n_of_series(star);
    const series_rows *series = star->menu.series;
    free_columns(w);
    w->inner = malloc(n * sizeof *w->inner);
    w->jacobian = malloc(n * n_obs * sizeof *w->jacobian);
    w->columns = malloc(n * n_obs * sizeof *w->columns);
    w->state = malloc((NOISE_PROCESS_MOST_STATES + 1) * all * sizeof *w->state);
    w->products = malloc(all * all * sizeof *w->products);
    w->spread = series ? malloc(all * series->n * sizeof *w->spread) : NULL;
    w->n_columns = n;
    return w->inner && w->jacobian && w->columns && w->state && w->products &&
           (w->spread || !series);
}

/* The worker of a study's thread, with room for the columns of a set and their residual. */
static equant_status require_worker(study *star, const squeezed *from, set_worker **w)
{
    equant_status status = star->made->worker ? EQUANT_SUCCESS : hire(star, &star->made->worker);
    size_t n = (from->n_mean > from->n_inner ? from->n_mean : from->n_inner) + 1;
    if (status != EQUANT_SUCCESS)
        return status;
    *w = star->made->worker;
    if ((*w)->n_columns < n && !make_columns(star, *w, n)) {
        free_columns(*w);
        return status_out_of_memory();
    }
    return status;
}

/* Factors the noise of a set, unless it is that of the set before: fits of orbits ask for the same
 * again and again. */
static bool factor_noise(const study *star, const study_shape *shape, const squeezed *from,
                         const double *set, set_worker *w)
{
    const double *jitters = set + from->n_mean;
    noise_factor_rows rows =
        set_likelihood_rows(star, jitters + star->n_instruments, w->next_alpha, w->next_beta);
    noise_process process;
    noise_menu_process(&star->menu, shape->noise, jitters + star->n_instruments, &process);
    set_likelihood_variances(star, shape->noise, jitters, w->next_variances);
    bool same_rates = noise_process_same_rates(&process, &w->process);
    if (w->is_proper && same_rates && noise_process_same_sizes(&process, &w->process) &&
        memcmp(w->variances, w->next_variances, rows.n * sizeof *w->variances) == 0 &&
        memcmp(w->alpha, w->next_alpha, 2 * rows.n * sizeof *w->alpha) == 0)
        return true;
    memcpy(w->variances, w->next_variances, rows.n * sizeof *w->variances);
    memcpy(w->alpha, w->next_alpha, 2 * rows.n * sizeof *w->alpha);
    w->process = process;
    if (!same_rates)
        noise_factor_propagate(&w->factor, &process, &rows);
    w->is_proper = noise_factor_decompose(&w->factor, &process, &rows, w->variances);
    return w->is_proper;
}

/* ---- values ------------------------------------------------------------------------------------
 */

/* What indicators explain goes from the residuals to the velocities. */
static void add_indicators(const study *star, const study_shape *shape, const squeezed *from,
                           const double *set, double *velocities, double *residuals)
{
    for (size_t i = 0; i < star->menu.n_indicators; i++) {
        if (!(shape->noise.indicators >> i & 1))
            continue;
        const double *column = star->menu.columns + i * star->n_obs;
        double factor = set[from->first_indicator + i];
        for (size_t k = 0; k < star->n_obs; k++) {
            if (velocities)
                velocities[k] += factor * column[k];
            if (residuals)
                residuals[k] -= factor * column[k];
        }
    }
}

/* Whitens columns of velocities, [n_obs][width], the residual last, and multiplies them: the lower
 * triangle of [width][width] into the products. Where indicators are series, their rows take part
 * and their offsets follow. */
static void whiten_and_multiply(const study *star, size_t width, double *columns, set_worker *w)
{
    size_t n = n_of_series(star), all = n + width;
    double *whitened = columns, *m = w->products;
    if (n > 0) {
        series_rows_spread(star->menu.series, width, columns, w->spread);
        whitened = w->spread;
    }
    noise_factor_whiten(&w->factor, all, whitened, w->state);
    small_matrix_products(w->factor.n_rows, all, whitened, all, m);
    for (size_t p = 0; p < n; p++)
        for (size_t i = p + 1; i < all; i++)
            for (size_t j = p + 1; j <= i; j++)
                m[i * all + j] -= m[i * all + p] * m[j * all + p] / m[p * all + p];
    for (size_t i = 0; i < width && n > 0; i++)
        memmove(m + i * width, m + (i + n) * all + n, (i + 1) * sizeof *m);
}

/* chi-square and ln L of residuals under the noise of a set. */
static void judge(const study *star, const study_shape *shape, const squeezed *from,
                  const double *set, const double *residuals, set_worker *w, double *chi_square,
                  double *log_likelihood)
{
    *chi_square = INFINITY;
    *log_likelihood = -INFINITY;
    if (isnan(residuals[0]) || !factor_noise(star, shape, from, set, w))
        return;
    double sum = 0.0;
    memcpy(w->columns, residuals, star->n_obs * sizeof *w->columns);
    if (star->menu.series) {
        whiten_and_multiply(star, 1, w->columns, w);
        sum = w->products[0];
    } else {
        noise_factor_whiten(&w->factor, 1, w->columns, w->state);
        for (size_t k = 0; k < star->n_obs; k++)
            sum += w->columns[k] * w->columns[k];
    }
    if (!isfinite(sum))
        return;
    *chi_square = sum;
    *log_likelihood =
        -0.5 * (sum + w->factor.log_determinant + (double)w->factor.n_rows * LOG_TWO_PI);
}

equant_status set_likelihood_evaluate(study *star, const study_shape *shape, const double *set,
                                      const set_likelihood_results *results)
{
    squeezed from = squeezed_of(star, shape);
    bool white = set_likelihood_is_white(star, shape);
    double chi_square, log_likelihood;
    equant_evaluator *evaluator;
    set_worker *w;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    if (status == EQUANT_SUCCESS)
        status = require_worker(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    double *residuals = results->residuals || white ? results->residuals : w->residuals;
    equant_results asked = {.struct_size = sizeof asked,
                            .chi_square = white ? results->chi_square : NULL,
                            .log_likelihood = white ? results->log_likelihood : NULL,
                            .velocities = results->velocities,
                            .residuals = residuals};
    squeeze(star, &from, set, w->inner);
    status = equant_evaluator_evaluate(evaluator, 1, w->inner, &asked);
    if (status != EQUANT_SUCCESS || white)
        return status;
    add_indicators(star, shape, &from, set, results->velocities, residuals);
    judge(star, shape, &from, set, residuals, w, &chi_square, &log_likelihood);
    if (results->chi_square)
        *results->chi_square = chi_square;
    if (results->log_likelihood)
        *results->log_likelihood = log_likelihood;
    return EQUANT_SUCCESS;
}

/* ---- derivatives -------------------------------------------------------------------------------
 */

/* Columns [n_obs][n_mean + 1] of one set from what an evaluator has of it. */
static void gather(const study *star, const study_shape *shape, const squeezed *from,
                   const double *jacobian, const double *residuals, double *columns)
{
    size_t n_obs = star->n_obs, width = from->n_mean + 1;
    for (size_t j = 0; j < from->first_indicator; j++)
        for (size_t k = 0; k < n_obs; k++)
            columns[k * width + j] = jacobian[j * n_obs + k];
    for (size_t i = 0; i < star->menu.n_indicators; i++) {
        const double *column = star->menu.columns + i * n_obs;
        bool chosen = shape->noise.indicators >> i & 1;
        for (size_t k = 0; k < n_obs; k++)
            columns[k * width + from->first_indicator + i] = chosen ? column[k] : 0.0;
    }
    for (size_t k = 0; k < n_obs; k++)
        columns[k * width + from->n_mean] = residuals[k];
}

/* chi-square, gradient and Fisher matrix from the products of whitened columns, [n_mean + 1] each
 * way. */
static void read_products(const squeezed *from, const double *products, double *chi_square,
                          double *gradient, double *fisher)
{
    size_t n = from->n_mean, all = from->n_all, width = n + 1;
    memset(fisher, 0, all * all * sizeof *fisher);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            fisher[j * all + i] = fisher[i * all + j] = products[i * width + j];
    if (gradient)
        memset(gradient, 0, all * sizeof *gradient);
    for (size_t i = 0; gradient && i < n; i++)
        gradient[i] = -2.0 * products[n * width + i];
    double square = products[n * width + n];
    if (chi_square)
        *chi_square = isfinite(square) ? square : INFINITY;
}

/* Residuals and Jacobian of a set, as an evaluator has them. */
static equant_status ask_evaluator(study *star, const study_shape *shape, equant_basis basis,
                                   const squeezed *from, const double *set, set_worker *w)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    equant_derivatives derivatives = {.struct_size = sizeof derivatives, .jacobian = w->jacobian};
    equant_results results = {.struct_size = sizeof results, .residuals = w->residuals};
    squeeze(star, from, set, w->inner);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, basis, 1, w->inner, &derivatives);
    return status == EQUANT_SUCCESS ? equant_evaluator_evaluate(evaluator, 1, w->inner, &results)
                                    : status;
}

static equant_status differentiate_correlated(study *star, const study_shape *shape,
                                              equant_basis basis, const squeezed *from,
                                              const double *set, set_worker *w, double *chi_square,
                                              double *gradient, double *fisher)
{
    equant_status status = ask_evaluator(star, shape, basis, from, set, w);
    if (status != EQUANT_SUCCESS)
        return status;
    add_indicators(star, shape, from, set, NULL, w->residuals);
    gather(star, shape, from, w->jacobian, w->residuals, w->columns);
    bool proper = !isnan(w->residuals[0]) && factor_noise(star, shape, from, set, w);
    if (proper)
        whiten_and_multiply(star, from->n_mean + 1, w->columns, w);
    else
        memset(w->products, 0, (from->n_mean + 1) * (from->n_mean + 1) * sizeof *w->products);
    read_products(from, w->products, chi_square, gradient, fisher);
    if (!proper && chi_square)
        *chi_square = INFINITY;
    return status;
}

/* Numbers by an evaluator's columns, as numbers by those of a whole set. */
static void spread(const study *star, const squeezed *from, const double *inner, double *whole)
{
    size_t gap = star->menu.n_indicators;
    memset(whole, 0, from->n_all * sizeof *whole);
    for (size_t i = 0; i < from->n_inner; i++)
        whole[i < from->first_indicator ? i : i + gap] = inner[i];
}

/* The same of a matrix. */
static void spread_matrix(const study *star, const squeezed *from, const double *inner,
                          double *whole)
{
    size_t all = from->n_all, n = from->n_inner, gap = star->menu.n_indicators;
    memset(whole, 0, all * all * sizeof *whole);
    for (size_t i = 0; i < n; i++)
        spread(star, from, inner + i * n, whole + (i < from->first_indicator ? i : i + gap) * all);
}

static equant_status differentiate_white(study *star, const study_shape *shape, equant_basis basis,
                                         const squeezed *from, const double *set, set_worker *w,
                                         bool is_of_likelihood, double *chi_square,
                                         double *gradient, double *fisher)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    bool all_known = !has_menu(star);
    double *own_gradient = w->state; /* has room, as the products have for a matrix */
    double *slope = gradient && !all_known ? own_gradient : gradient;
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .chi_square = chi_square,
                                      .chi_square_gradient = is_of_likelihood ? NULL : slope,
                                      .log_likelihood_gradient = is_of_likelihood ? slope : NULL,
                                      .fisher = all_known ? fisher : w->products};
    squeeze(star, from, set, w->inner);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, basis, 1, w->inner, &derivatives);
    if (status == EQUANT_SUCCESS && !all_known) {
        spread_matrix(star, from, w->products, fisher);
        if (gradient)
            spread(star, from, own_gradient, gradient);
    }
    return status;
}

equant_status set_likelihood_differentiate(study *star, const study_shape *shape,
                                           equant_basis basis, const double *set,
                                           double *chi_square, double *gradient, double *fisher)
{
    squeezed from = squeezed_of(star, shape);
    set_worker *w;
    equant_status status = require_worker(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    return set_likelihood_is_white(star, shape)
               ? differentiate_white(star, shape, basis, &from, set, w, false, chi_square, gradient,
                                     fisher)
               : differentiate_correlated(star, shape, basis, &from, set, w, chi_square, gradient,
                                          fisher);
}

equant_status set_likelihood_slope(study *star, const study_shape *shape, equant_basis basis,
                                   const double *set, double *gradient, double *fisher)
{
    squeezed from = squeezed_of(star, shape);
    set_worker *w;
    equant_status status = require_worker(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    if (set_likelihood_is_white(star, shape))
        return differentiate_white(star, shape, basis, &from, set, w, true, NULL, gradient, fisher);
    status = differentiate_correlated(star, shape, basis, &from, set, w, NULL, gradient, fisher);
    for (size_t i = 0; i < from.n_all; i++)
        gradient[i] *= -0.5;
    return status;
}

equant_status set_likelihood_columns(study *star, const study_shape *shape, equant_basis basis,
                                     const double *set, double *columns)
{
    squeezed from = squeezed_of(star, shape);
    set_worker *w;
    equant_status status = require_worker(star, &from, &w);
    if (status == EQUANT_SUCCESS)
        status = ask_evaluator(star, shape, basis, &from, set, w);
    if (status == EQUANT_SUCCESS) {
        add_indicators(star, shape, &from, set, NULL, w->residuals);
        gather(star, shape, &from, w->jacobian, w->residuals, columns);
    }
    return status;
}

/* ---- what the noise was ------------------------------------------------------------------------
 */

/* The residuals of all rows, with offsets of series at their best, into [n_rows]; columns has room
 * for [n_rows][n_series + 1]. */
static void leave_offsets(const study *star, set_worker *w, const double *residuals,
                          double *columns, double *left)
{
    size_t n = w->factor.n_rows, n_series = n_of_series(star), width = n_series + 1;
    double *m = w->products, factors[SPOTS_MOST_SERIES] = {0.0};
    if (n_series == 0) {
        memcpy(left, residuals, n * sizeof *left);
        return;
    }
    series_rows_spread(star->menu.series, 1, residuals, w->spread);
    memcpy(columns, w->spread, n * width * sizeof *columns);
    noise_factor_whiten(&w->factor, width, columns, w->state);
    small_matrix_products(n, width, columns, width, m);
    for (size_t i = 0; i < n_series; i++)
        factors[i] = m[n_series * width + i];
    for (size_t i = 0; i < n_series; i++) /* their matrix alone */
        memmove(m + i * n_series, m + i * width, (i + 1) * sizeof *m);
    small_matrix_factor(n_series, m);
    small_matrix_solve(n_series, m, factors);
    for (size_t k = 0; k < n; k++) {
        left[k] = w->spread[k * width + n_series];
        for (size_t i = 0; i < n_series; i++)
            left[k] -= factors[i] * w->spread[k * width + i];
    }
}

/* Residuals r = process + white: the process is expected to be r - white = r - V C^-1 r. */
equant_status set_likelihood_process(study *star, const study_shape *shape, const double *set,
                                     const double *residuals, double *process)
{
    squeezed from = squeezed_of(star, shape);
    set_worker *w;
    equant_status status = require_worker(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    memset(process, 0, star->n_obs * sizeof *process);
    if (shape->noise.terms == 0 || !factor_noise(star, shape, &from, set, w))
        return EQUANT_SUCCESS;
    size_t n = w->factor.n_rows;
    double state[2 * NOISE_PROCESS_MOST_STATES];
    double *columns = malloc((n_of_series(star) + 1) * n * sizeof *columns),
           *left = malloc(n * sizeof *left);
    if (columns && left) {
        leave_offsets(star, w, residuals, columns, left);
        noise_factor_solve(&w->factor, left, state);
        for (size_t k = 0; k < star->n_obs; k++) {
            size_t row = star->menu.series ? star->menu.series->row[k] : k;
            process[k] = residuals[k] - w->variances[row] * left[row];
        }
    } else {
        status = status_out_of_memory();
    }
    free(columns);
    free(left);
    return status;
}
