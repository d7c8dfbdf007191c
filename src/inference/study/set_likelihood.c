#include "inference/study/set_likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/small_matrix.h"

#define LN_TWO_PI 1.8378770664093454836

static bool has_menu(const study *star)
{
    return star->menu.n_parameters + star->menu.n_indicators > 0;
}

static bool is_white(const study_shape *shape)
{
    return shape->noise.terms == 0 && shape->noise.indicators == 0 && !shape->noise.outliers;
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

noise_factor_rows set_likelihood_rows(const study *star)
{
    return (noise_factor_rows){.n = star->n_obs,
                               .time_days = equant_dataset_times_days(star->dataset),
                               .instruments = star->menu.night_state,
                               .begins_night = star->menu.begins_night};
}

void set_likelihood_variances(const study *star, noise_choice noise, const double *jitters,
                              double *variances)
{
    const double *sigma = study_uncertainties(star, noise);
    const int *made_by = equant_dataset_instruments(star->dataset);
    for (size_t k = 0; k < star->n_obs; k++)
        variances[k] = sigma[k] * sigma[k] + jitters[made_by[k]] * jitters[made_by[k]];
}

static bool factor_process(const study *star, const study_shape *shape, const double *set,
                           bool is_scanned, double *variances, noise_factor *factor)
{
    squeezed from = squeezed_of(star, shape);
    const noise_factor_rows rows = set_likelihood_rows(star);
    const double *jitters = set + from.n_mean, *values = jitters + star->n_instruments;
    noise_process process;
    if (is_scanned)
        noise_menu_scanned_process(&star->menu, shape->noise, values, &process);
    else
        noise_menu_process(&star->menu, shape->noise, values, &process);
    set_likelihood_variances(star, shape->noise, jitters, variances);
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
    double *variances, *next_variances;
    double *inner, *residuals, *jacobian, *columns, *state, *products;
};

static void free_columns(set_worker *w)
{
    free(w->inner);
    free(w->jacobian);
    free(w->columns);
    free(w->state);
    free(w->products);
    w->inner = w->jacobian = w->columns = w->state = w->products = NULL;
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
    free(w->residuals);
    free(w);
}

static equant_status hire(const study *star, set_worker **made)
{
    size_t n = star->n_obs;
    set_worker *w = calloc(1, sizeof *w);
    if (!w)
        return status_out_of_memory();
    equant_status status = noise_menu_factor(&star->menu, n, &w->factor);
    w->process.n_blocks = -1;
    w->variances = malloc(n * sizeof *w->variances);
    w->next_variances = malloc(n * sizeof *w->next_variances);
    w->residuals = malloc(n * sizeof *w->residuals);
    if (!w->variances || !w->next_variances || !w->residuals)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        *made = w;
    else
        set_likelihood_dismiss(w);
    return status;
}

static bool make_columns(set_worker *w, size_t n_obs, size_t n)
{
    free_columns(w);
    w->inner = malloc(n * sizeof *w->inner);
    w->jacobian = malloc(n * n_obs * sizeof *w->jacobian);
    w->columns = malloc(n * n_obs * sizeof *w->columns);
    w->state = malloc((NOISE_PROCESS_MOST_STATES + 1) * n * sizeof *w->state);
    w->products = malloc(n * n * sizeof *w->products);
    w->n_columns = n;
    return w->inner && w->jacobian && w->columns && w->state && w->products;
}

/* The worker of a study's thread, with room for the columns of a set and their residual. */
static equant_status require_worker(study *star, const squeezed *from, set_worker **w)
{
    equant_status status = star->made->worker ? EQUANT_SUCCESS : hire(star, &star->made->worker);
    size_t n = (from->n_mean > from->n_inner ? from->n_mean : from->n_inner) + 1;
    if (status != EQUANT_SUCCESS)
        return status;
    *w = star->made->worker;
    if ((*w)->n_columns < n && !make_columns(*w, star->n_obs, n)) {
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
    const noise_factor_rows rows = set_likelihood_rows(star);
    const double *jitters = set + from->n_mean;
    noise_process process;
    noise_menu_process(&star->menu, shape->noise, jitters + star->n_instruments, &process);
    set_likelihood_variances(star, shape->noise, jitters, w->next_variances);
    bool same_rates = noise_process_same_rates(&process, &w->process);
    if (w->is_proper && same_rates && noise_process_same_sizes(&process, &w->process) &&
        memcmp(w->variances, w->next_variances, star->n_obs * sizeof *w->variances) == 0)
        return true;
    memcpy(w->variances, w->next_variances, star->n_obs * sizeof *w->variances);
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

/* chi-square and ln L of residuals under the noise of a set. */
static void judge(const study *star, const study_shape *shape, const squeezed *from,
                  const double *set, const double *residuals, set_worker *w, double *chi_square,
                  double *log_likelihood)
{
    double sum = 0.0;
    *chi_square = INFINITY;
    *log_likelihood = -INFINITY;
    if (isnan(residuals[0]) || !factor_noise(star, shape, from, set, w))
        return;
    memcpy(w->columns, residuals, star->n_obs * sizeof *w->columns);
    noise_factor_whiten(&w->factor, 1, w->columns, w->state);
    for (size_t k = 0; k < star->n_obs; k++)
        sum += w->columns[k] * w->columns[k];
    if (!isfinite(sum))
        return;
    *chi_square = sum;
    *log_likelihood = -0.5 * (sum + w->factor.log_determinant + (double)star->n_obs * LN_TWO_PI);
}

equant_status set_likelihood_evaluate(study *star, const study_shape *shape, const double *set,
                                      const set_likelihood_results *results)
{
    squeezed from = squeezed_of(star, shape);
    bool white = is_white(shape);
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

/* chi-square, gradient and Fisher matrix from whitened columns; products has room for
 * [n_mean + 1][n_mean + 1]. */
static void multiply(const study *star, const squeezed *from, const double *columns,
                     double *products, double *chi_square, double *gradient, double *fisher)
{
    size_t n = from->n_mean, all = from->n_all, width = n + 1;
    small_matrix_products(star->n_obs, width, columns, width, products);
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
        noise_factor_whiten(&w->factor, from->n_mean + 1, w->columns, w->state);
    multiply(star, from, w->columns, w->products, chi_square, gradient, fisher);
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
                                         double *chi_square, double *gradient, double *fisher)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    bool all_known = !has_menu(star);
    double *own_gradient = w->state; /* has room, as the products have for a matrix */
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .chi_square = chi_square,
                                      .chi_square_gradient = !gradient   ? NULL
                                                             : all_known ? gradient
                                                                         : own_gradient,
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
    return is_white(shape) ? differentiate_white(star, shape, basis, &from, set, w, chi_square,
                                                 gradient, fisher)
                           : differentiate_correlated(star, shape, basis, &from, set, w, chi_square,
                                                      gradient, fisher);
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
