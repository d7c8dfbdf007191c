#include "inference/study/set_likelihood.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"

#define LN_TWO_PI 1.8378770664093454836

/* Doubles that Jacobians may take at once. */
#define DOUBLES_AT_ONCE (4u << 20)

static bool has_menu(const study *star)
{
    return star->menu.n_parameters + star->menu.n_indicators > 0;
}

static bool is_white(const study_shape *shape)
{
    return shape->noise.terms == 0 && shape->noise.indicators == 0;
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
static double *squeeze(const study *star, const squeezed *from, size_t n_sets, const double *sets)
{
    double *inner = malloc((n_sets * from->n_inner + 1) * sizeof *inner);
    for (size_t s = 0; inner && s < n_sets; s++) {
        double *to = inner + s * from->n_inner;
        const double *set = sets + s * from->n_all;
        memcpy(to, set, from->first_indicator * sizeof *to);
        memcpy(to + from->first_indicator, set + from->n_mean, star->n_instruments * sizeof *to);
    }
    return inner;
}

int set_likelihood_threads(const study *star, size_t n_sets)
{
    int most = star->fit_engine.n_threads > 0 ? star->fit_engine.n_threads : omp_get_max_threads();
    return n_sets < (size_t)most ? (int)n_sets : most;
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

void set_likelihood_variances(const study *star, const double *jitters, double *variances)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
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
    set_likelihood_variances(star, jitters, variances);
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

/* What one thread whitens with. */
typedef struct worker {
    noise_factor factor;
    double *variances, *columns, *state;
} worker;

static void workers_free(int n, worker *workers)
{
    for (int i = 0; workers && i < n; i++) {
        noise_factor_free(&workers[i].factor);
        free(workers[i].variances);
        free(workers[i].columns);
        free(workers[i].state);
    }
    free(workers);
}

static worker *workers_create(const study *star, int n, size_t n_columns)
{
    worker *workers = calloc((size_t)n, sizeof *workers);
    for (int i = 0; workers && i < n; i++) {
        worker *w = &workers[i];
        w->variances = malloc(star->n_obs * sizeof *w->variances);
        w->columns = malloc(star->n_obs * n_columns * sizeof *w->columns);
        w->state = malloc((NOISE_PROCESS_MOST_STATES + 1) * n_columns * sizeof *w->state);
        equant_status status = noise_menu_factor(&star->menu, star->n_obs, &w->factor);
        if (status != EQUANT_SUCCESS || !w->variances || !w->columns || !w->state) {
            workers_free(n, workers);
            return NULL;
        }
    }
    return workers;
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
static void judge(const study *star, const study_shape *shape, const double *set,
                  const double *residuals, worker *w, double *chi_square, double *log_likelihood)
{
    double sum = 0.0;
    *chi_square = INFINITY;
    *log_likelihood = -INFINITY;
    if (isnan(residuals[0]) || !set_likelihood_factor(star, shape, set, w->variances, &w->factor))
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

static equant_status evaluate_correlated(study *star, const study_shape *shape, size_t n_sets,
                                         const double *sets, const squeezed *from,
                                         const set_likelihood_results *results, double *residuals)
{
    size_t n_obs = star->n_obs;
    int threads = set_likelihood_threads(star, n_sets);
    worker *workers = workers_create(star, threads, 1);
    if (!workers)
        return status_out_of_memory();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t s = 0; s < n_sets; s++) {
        const double *set = sets + s * from->n_all;
        double chi_square, log_likelihood;
        add_indicators(star, shape, from, set,
                       results->velocities ? results->velocities + s * n_obs : NULL,
                       residuals + s * n_obs);
        judge(star, shape, set, residuals + s * n_obs, &workers[omp_get_thread_num()], &chi_square,
              &log_likelihood);
        if (results->chi_square)
            results->chi_square[s] = chi_square;
        if (results->log_likelihood)
            results->log_likelihood[s] = log_likelihood;
    }
    workers_free(threads, workers);
    return EQUANT_SUCCESS;
}

equant_status set_likelihood_evaluate(study *star, const study_shape *shape, size_t n_sets,
                                      const double *sets, const set_likelihood_results *results)
{
    squeezed from = squeezed_of(star, shape);
    bool white = is_white(shape);
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    double *inner = has_menu(star) ? squeeze(star, &from, n_sets, sets) : NULL;
    double *own =
        white || results->residuals ? NULL : malloc((n_sets * star->n_obs + 1) * sizeof *own);
    double *residuals = results->residuals ? results->residuals : own;
    if (status == EQUANT_SUCCESS && ((has_menu(star) && !inner) || (!white && !residuals)))
        status = status_out_of_memory();
    equant_results asked = {.struct_size = sizeof asked,
                            .chi_square = white ? results->chi_square : NULL,
                            .log_likelihood = white ? results->log_likelihood : NULL,
                            .velocities = results->velocities,
                            .residuals = residuals};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, n_sets, inner ? inner : sets, &asked);
    if (status == EQUANT_SUCCESS && !white)
        status = evaluate_correlated(star, shape, n_sets, sets, &from, results, residuals);
    free(inner);
    free(own);
    return status;
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

/* chi-square, gradient and Fisher matrix from whitened columns. */
static void multiply(const study *star, const squeezed *from, const double *columns,
                     double *chi_square, double *gradient, double *fisher)
{
    size_t n = from->n_mean, all = from->n_all, width = n + 1;
    memset(fisher, 0, all * all * sizeof *fisher);
    if (gradient)
        memset(gradient, 0, all * sizeof *gradient);
    double square = 0.0;
    for (size_t k = 0; k < star->n_obs; k++) {
        const double *row = columns + k * width;
        square += row[n] * row[n];
        for (size_t i = 0; i < n; i++) {
            double x = row[i], *to = fisher + i * all;
            for (size_t j = 0; j <= i; j++)
                to[j] += x * row[j];
        }
        for (size_t i = 0; gradient && i < n; i++)
            gradient[i] -= 2.0 * row[i] * row[n];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            fisher[j * all + i] = fisher[i * all + j];
    if (chi_square)
        *chi_square = isfinite(square) ? square : INFINITY;
}

typedef struct differentiated {
    double *jacobian,
        *residuals; /* by an evaluator, [n_sets][n_inner][n_obs] and [n_sets][n_obs] */
} differentiated;

static equant_status ask_evaluator(study *star, const study_shape *shape, equant_basis basis,
                                   const squeezed *from, size_t n_sets, const double *sets,
                                   differentiated *given)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    double *inner = squeeze(star, from, n_sets, sets);
    if (status == EQUANT_SUCCESS && !inner)
        status = status_out_of_memory();
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .jacobian = given->jacobian};
    equant_results results = {.struct_size = sizeof results, .residuals = given->residuals};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, basis, n_sets, inner, &derivatives);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, n_sets, inner, &results);
    free(inner);
    return status;
}

static equant_status differentiate_some(study *star, const study_shape *shape, equant_basis basis,
                                        const squeezed *from, size_t n_sets, const double *sets,
                                        double *chi_square, double *gradient, double *fisher)
{
    size_t n_obs = star->n_obs, width = from->n_mean + 1, all = from->n_all;
    int threads = set_likelihood_threads(star, n_sets);
    differentiated given = {.jacobian =
                                malloc((n_sets * from->n_inner * n_obs + 1) * sizeof(double)),
                            .residuals = malloc((n_sets * n_obs + 1) * sizeof(double))};
    worker *workers = workers_create(star, threads, width);
    equant_status status =
        given.jacobian && given.residuals && workers ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = ask_evaluator(star, shape, basis, from, n_sets, sets, &given);
    if (status == EQUANT_SUCCESS) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (size_t s = 0; s < n_sets; s++) {
            worker *w = &workers[omp_get_thread_num()];
            const double *set = sets + s * all;
            double *residuals = given.residuals + s * n_obs;
            add_indicators(star, shape, from, set, NULL, residuals);
            gather(star, shape, from, given.jacobian + s * from->n_inner * n_obs, residuals,
                   w->columns);
            bool proper = !isnan(residuals[0]) &&
                          set_likelihood_factor(star, shape, set, w->variances, &w->factor);
            if (proper)
                noise_factor_whiten(&w->factor, width, w->columns, w->state);
            multiply(star, from, w->columns, chi_square ? chi_square + s : NULL,
                     gradient ? gradient + s * all : NULL, fisher + s * all * all);
            if (!proper && chi_square)
                chi_square[s] = INFINITY;
        }
    }
    free(given.jacobian);
    free(given.residuals);
    workers_free(threads, workers);
    return status;
}

/* An evaluator's matrices, without the columns that it does not know, as those of whole sets. */
static void spread(const study *star, const squeezed *from, size_t n_sets, const double *inner,
                   size_t dimensions, double *whole)
{
    size_t all = from->n_all, n = from->n_inner, gap = star->menu.n_indicators;
    size_t size = dimensions == 2 ? all * all : all, inner_size = dimensions == 2 ? n * n : n;
    memset(whole, 0, n_sets * size * sizeof *whole);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < inner_size; i++) {
            size_t row = dimensions == 2 ? i / n : 0, column = i % n;
            size_t to_row = row < from->first_indicator ? row : row + gap;
            size_t to = column < from->first_indicator ? column : column + gap;
            whole[s * size + to_row * (dimensions == 2 ? all : 0) + to] = inner[s * inner_size + i];
        }
}

static equant_status differentiate_white(study *star, const study_shape *shape, equant_basis basis,
                                         const squeezed *from, size_t n_sets, const double *sets,
                                         double *chi_square, double *gradient, double *fisher)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    size_t n = from->n_inner;
    bool all_known = !has_menu(star);
    double *inner = all_known ? NULL : squeeze(star, from, n_sets, sets);
    double *own_fisher = all_known ? fisher : malloc((n_sets * n * n + 1) * sizeof *own_fisher);
    double *own_gradient =
        !gradient || all_known ? gradient : malloc((n_sets * n + 1) * sizeof *own_gradient);
    if (status == EQUANT_SUCCESS &&
        ((!all_known && !inner) || !own_fisher || (gradient && !own_gradient)))
        status = status_out_of_memory();
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .chi_square = chi_square,
                                      .chi_square_gradient = own_gradient,
                                      .fisher = own_fisher};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, basis, n_sets, inner ? inner : sets,
                                                &derivatives);
    if (status == EQUANT_SUCCESS && !all_known) {
        spread(star, from, n_sets, own_fisher, 2, fisher);
        if (gradient)
            spread(star, from, n_sets, own_gradient, 1, gradient);
    }
    free(inner);
    if (!all_known) {
        free(own_fisher);
        free(own_gradient);
    }
    return status;
}

equant_status set_likelihood_differentiate(study *star, const study_shape *shape,
                                           equant_basis basis, size_t n_sets, const double *sets,
                                           double *chi_square, double *gradient, double *fisher)
{
    squeezed from = squeezed_of(star, shape);
    size_t all = from.n_all;
    if (is_white(shape))
        return differentiate_white(star, shape, basis, &from, n_sets, sets, chi_square, gradient,
                                   fisher);
    size_t at_once = 1 + DOUBLES_AT_ONCE / ((from.n_inner + 1) * star->n_obs);
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = 0; first < n_sets && status == EQUANT_SUCCESS; first += at_once) {
        size_t left = n_sets - first;
        status = differentiate_some(star, shape, basis, &from, left < at_once ? left : at_once,
                                    sets + first * all, chi_square ? chi_square + first : NULL,
                                    gradient ? gradient + first * all : NULL,
                                    fisher + first * all * all);
    }
    return status;
}

equant_status set_likelihood_columns(study *star, const study_shape *shape, equant_basis basis,
                                     const double *set, double *columns)
{
    squeezed from = squeezed_of(star, shape);
    differentiated given = {.jacobian = malloc((from.n_inner * star->n_obs + 1) * sizeof(double)),
                            .residuals = malloc((star->n_obs + 1) * sizeof(double))};
    equant_status status =
        given.jacobian && given.residuals ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = ask_evaluator(star, shape, basis, &from, 1, set, &given);
    if (status == EQUANT_SUCCESS) {
        add_indicators(star, shape, &from, set, NULL, given.residuals);
        gather(star, shape, &from, given.jacobian, given.residuals, columns);
    }
    free(given.jacobian);
    free(given.residuals);
    return status;
}
