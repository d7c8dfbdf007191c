#include "inference/search/base_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/set_likelihood.h"
#include "inference/likelihood/set_noise.h"
#include "inference/optimise/jitter.h"
#include "model/dot_product.h"
#include "model/machine_clones.h"

/* A column of which less than this share is new beside the others is left out. */
#define NEGLIGIBLE_SHARE 1e-7

void base_columns_free(base_columns *columns)
{
    free(columns->time_days);
    free(columns->root_weight);
    free(columns->residual);
    free(columns->basis);
    if (columns->own)
        noise_factor_free(columns->own);
    free(columns->own);
    memset(columns, 0, sizeof *columns);
}

MACHINE_CLONES static double dot(size_t n, const double *a, const double *b)
{
    return dot_product(n, a, b);
}

/* Sums are split among so many, of which none waits for another. */
enum { LANES = 16 };

/* Takes a share of q from a vector; what is left of it, times the next column. */
MACHINE_CLONES static double take_share(size_t n, double share, const double *restrict q,
                                        const double *restrict next, double *restrict vector)
{
    double lanes[LANES] = {0.0}, sum = 0.0;
    size_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int i = 0; i < LANES; i++) {
            vector[k + i] -= share * q[k + i];
            lanes[i] += next[k + i] * vector[k + i];
        }
    for (; k < n; k++) {
        vector[k] -= share * q[k];
        lanes[0] += next[k] * vector[k];
    }
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}

/* Gram-Schmidt loses orthogonality to rounding in one pass and keeps it in two. */
void base_columns_project(const base_columns *columns, double *vector)
{
    size_t n = columns->n, n_obs = columns->n_obs;
    double share = n > 0 ? dot(n_obs, columns->basis, vector) : 0.0;
    for (size_t j = 0; j < 2 * n; j++)
        share = take_share(n_obs, share, columns->basis + j % n * n_obs,
                           columns->basis + (j + 1) % n * n_obs, vector);
}

void base_columns_whiten(const base_columns *columns, double *vector)
{
    if (columns->factor) {
        double state[NOISE_PROCESS_MOST_STATES + 1];
        noise_factor_whiten(columns->factor, 1, vector, state);
    } else {
        for (size_t k = 0; k < columns->n_obs; k++)
            vector[k] *= columns->root_weight[k];
    }
}

/* Adds a column, whose elements are `stride` apart, to the basis, whitened, unless it is there
 * already. */
static void add_column(base_columns *columns, const double *column, size_t stride)
{
    size_t n_obs = columns->n_obs;
    double *q = columns->basis + columns->n * n_obs;
    for (size_t k = 0; k < n_obs; k++)
        q[k] = column[k * stride];
    base_columns_whiten(columns, q);
    double before = sqrt(dot(n_obs, q, q));
    base_columns_project(columns, q);
    double after = sqrt(dot(n_obs, q, q));
    if (!(after > NEGLIGIBLE_SHARE * before))
        return;
    for (size_t k = 0; k < n_obs; k++)
        q[k] /= after;
    columns->log_information += log(after);
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

equant_status base_columns_factor(const study *star, const solution *background,
                                  noise_factor *factor)
{
    const study_shape shape = solution_shape(background);
    double *variances = malloc(star->n_obs * sizeof *variances);
    equant_status status =
        noise_factor_create(star->n_obs, NOISE_PROCESS_MOST_STATES, false, factor);
    if (status == EQUANT_SUCCESS && !variances)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS &&
        !set_noise_scanned_factor(star, &shape, background->set, variances, factor))
        status = status_fail(EQUANT_ERROR_INTERNAL, "the noise of a solution is no covariance");
    free(variances);
    return status;
}

/* How everything is whitened. */
static equant_status set_noise(base_columns *columns, const study *star, const solution *background,
                               const base_terms *terms)
{
    equant_status status = EQUANT_SUCCESS;
    noise_root_weights(star, background->noise, solution_values(star, background, TERM_JITTERS),
                       columns->root_weight);
    const noise_factor *factor = terms ? terms->factor : NULL;
    if (!factor && background->noise.terms != 0) {
        columns->own = calloc(1, sizeof *columns->own);
        status = columns->own ? base_columns_factor(star, background, columns->own)
                              : status_out_of_memory();
        factor = columns->own;
    }
    if (!factor || status != EQUANT_SUCCESS)
        return status;
    bool as_if_white = terms && terms->as_if_white;
    columns->factor = as_if_white ? NULL : factor;
    for (size_t k = 0; k < columns->n_obs; k++)
        columns->root_weight[k] =
            as_if_white ? 1.0 / sqrt(factor->marginal[k]) : factor->root_weight[k];
    return status;
}

/* Offsets, trend and indicators first, then terms, then planets: what comes later and is there
 * already is left out. The last of the `width` columns is the residual. */
static void add_columns(base_columns *columns, size_t n_planets, size_t width, const double *mean,
                        size_t n_fixed, const base_terms *terms)
{
    size_t n_obs = columns->n_obs, n_terms = terms ? terms->n_columns : 0;
    for (size_t j = N_ELEMENTS * n_planets; j + 1 < width; j++)
        add_column(columns, mean + j, width);
    for (size_t j = 0; j < n_terms; j++)
        add_column(columns, terms->columns + j * n_obs, 1);
    for (size_t j = N_ELEMENTS * n_fixed; j < N_ELEMENTS * n_planets; j++)
        add_column(columns, mean + j, width);
    for (size_t k = 0; k < n_obs; k++)
        columns->residual[k] = mean[k * width + width - 1];
    base_columns_whiten(columns, columns->residual);
    base_columns_project(columns, columns->residual);
    columns->chi_square = dot(n_obs, columns->residual, columns->residual);
}

equant_status base_columns_create(study *star, const solution *background, size_t n_fixed,
                                  const base_terms *terms, base_columns *columns)
{
    const study_shape shape = solution_shape(background);
    parameter_layout layout = study_layout(star, background->n_planets, background->trend_order);
    size_t width = parameter_layout_first_noise(&layout) + 1;
    equant_status status = allocate(columns, star->n_obs, width + (terms ? terms->n_columns : 0));
    if (status != EQUANT_SUCCESS)
        return status;
    double *mean = malloc(width * star->n_obs * sizeof *mean);
    if (!mean)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_columns(star, &shape, EQUANT_BASIS_LINEAR, background->set, mean);
    if (status == EQUANT_SUCCESS)
        status = set_noise(columns, star, background, terms);
    if (status == EQUANT_SUCCESS) {
        const double *time = equant_dataset_times_days(star->dataset);
        double reference = equant_dataset_reference_time_days(star->dataset);
        for (size_t k = 0; k < star->n_obs; k++)
            columns->time_days[k] = time[k] - reference;
        add_columns(columns, background->n_planets, width, mean, n_fixed, terms);
    } else {
        base_columns_free(columns);
    }
    free(mean);
    return status;
}
