#include "inference/scan/base_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/noise.h"

/* A column of which less than this share is new beside the others is left out. */
#define NEGLIGIBLE_SHARE 1e-7

void base_columns_free(base_columns *columns)
{
    free(columns->time_days);
    free(columns->root_weight);
    free(columns->residual);
    free(columns->basis);
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Gram-Schmidt loses orthogonality to rounding in one pass and keeps it in two. */
void base_columns_project(const base_columns *columns, double *vector)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < columns->n; j++) {
            const double *q = columns->basis + j * columns->n_obs;
            double share = dot(columns->n_obs, q, vector);
            for (size_t k = 0; k < columns->n_obs; k++)
                vector[k] -= share * q[k];
        }
}

static void whiten(const base_columns *columns, double *vector)
{
    if (columns->factor) {
        double state[NOISE_PROCESS_MOST_STATES + 1];
        noise_factor_whiten(columns->factor, 1, vector, state);
    } else {
        for (size_t k = 0; k < columns->n_obs; k++)
            vector[k] *= columns->root_weight[k];
    }
}

/* Adds a column to the basis, whitened, unless it is there already. */
static void add_column(base_columns *columns, const double *column)
{
    size_t n_obs = columns->n_obs;
    double *q = columns->basis + columns->n * n_obs;
    memcpy(q, column, n_obs * sizeof *q);
    whiten(columns, q);
    double before = sqrt(dot(n_obs, q, q));
    base_columns_project(columns, q);
    double after = sqrt(dot(n_obs, q, q));
    if (!(after > NEGLIGIBLE_SHARE * before))
        return;
    for (size_t k = 0; k < n_obs; k++)
        q[k] /= after;
    columns->n++;
}

static equant_status allocate(base_columns *columns, size_t n_obs, size_t most)
{
    memset(columns, 0, sizeof *columns);
    columns->n_obs = n_obs;
    columns->time_days = malloc(n_obs * sizeof(double));
    columns->root_weight = malloc(n_obs * sizeof(double));
    columns->residual = malloc(n_obs * sizeof(double));
    columns->basis = malloc((most + 1) * n_obs * sizeof(double));
    if (columns->time_days && columns->root_weight && columns->residual && columns->basis)
        return EQUANT_SUCCESS;
    base_columns_free(columns);
    return status_out_of_memory();
}

/* How everything is whitened. */
static void set_noise(base_columns *columns, const study *star, const solution *background,
                      const base_terms *terms)
{
    noise_root_weights(star, solution_values(star, background, TERM_JITTERS), columns->root_weight);
    const noise_factor *factor = terms ? terms->factor : NULL;
    if (!factor)
        return;
    columns->factor = terms->as_if_white ? NULL : factor;
    for (size_t k = 0; k < columns->n_obs; k++)
        columns->root_weight[k] =
            terms->as_if_white ? 1.0 / sqrt(factor->marginal[k]) : factor->root_weight[k];
}

/* Offsets and trend first, then terms, then planets: what comes later and is there already is left
 * out. */
static void add_columns(base_columns *columns, const parameter_layout *layout,
                        const double *jacobian, size_t n_fixed, const base_terms *terms)
{
    size_t n_obs = columns->n_obs, n_terms = terms ? terms->n_columns : 0;
    for (size_t j = layout->columns[TERM_OFFSETS].first; j < parameter_layout_first_noise(layout);
         j++)
        add_column(columns, jacobian + j * n_obs);
    for (size_t j = 0; j < n_terms; j++)
        add_column(columns, terms->columns + j * n_obs);
    for (size_t j = N_ELEMENTS * n_fixed; j < layout->columns[TERM_OFFSETS].first; j++)
        add_column(columns, jacobian + j * n_obs);
}

equant_status base_columns_create(study *star, const solution *background, size_t n_fixed,
                                  const base_terms *terms, base_columns *columns)
{
    size_t n_obs = star->n_obs;
    parameter_layout layout = study_layout(star, background->n_planets, background->trend_order);
    equant_evaluator *evaluator;
    equant_status status =
        study_evaluator(star, background->n_planets, background->trend_order, &evaluator);
    if (status == EQUANT_SUCCESS)
        status = allocate(columns, n_obs,
                          parameter_layout_first_noise(&layout) + (terms ? terms->n_columns : 0));
    if (status != EQUANT_SUCCESS)
        return status;
    double *jacobian = malloc(layout.n_parameters * n_obs * sizeof *jacobian);
    if (!jacobian)
        status = status_out_of_memory();
    equant_derivatives derivatives = {.struct_size = sizeof derivatives, .jacobian = jacobian};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, EQUANT_BASIS_LINEAR, 1, background->set,
                                                &derivatives);
    equant_results residuals = {.struct_size = sizeof residuals, .residuals = columns->residual};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, 1, background->set, &residuals);
    if (status == EQUANT_SUCCESS) {
        const double *time = equant_dataset_times_days(star->dataset);
        double reference = equant_dataset_reference_time_days(star->dataset);
        set_noise(columns, star, background, terms);
        add_columns(columns, &layout, jacobian, n_fixed, terms);
        for (size_t k = 0; k < n_obs; k++)
            columns->time_days[k] = time[k] - reference;
        whiten(columns, columns->residual);
        base_columns_project(columns, columns->residual);
        columns->chi_square = dot(n_obs, columns->residual, columns->residual);
    } else {
        base_columns_free(columns);
    }
    free(jacobian);
    return status;
}
