/* Linear terms beside noise: at their best, and integrated out. With whitened columns M and values
 * y, F = M'M and b = M'y, and P the inverse squares of the priors' standard deviations,
 *
 *   x = (F + P)^-1 b,   ln L(x) = ln L(0) + b'x - x'F x / 2,
 *   ln integral = ln L(0) + b'x / 2 - ln |F + P| / 2 + ln |P| / 2, of flat priors (p / 2) ln 2 pi
 *   in place of the last. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "noise/noise_rows.h"
#include "statistics/cholesky.h"

/* A column of which less than this share is new beside those before it is none. */
#define NEGLIGIBLE_SHARE 1e-12

typedef struct followed {
    size_t n_rows, n;          /* columns */
    noise_workspace whitened;  /* columns [n_rows][n + 1], the values last */
    double *matrix, *lower;    /* [n][n]: F, and of F + P the factor */
    double *products, *solved; /* [n]: b and x */
    double square;             /* y'y */
} followed;

static void followed_free(followed *work)
{
    noise_workspace_free(&work->whitened);
    free(work->matrix);
    free(work->lower);
    free(work->products);
    free(work->solved);
}

static equant_status followed_create(const equant_noise *noise, size_t n_rows, size_t n,
                                     followed *work)
{
    memset(work, 0, sizeof *work);
    work->n_rows = n_rows;
    work->n = n;
    work->matrix = calloc(n * n + 1, sizeof(double));
    work->lower = calloc(n * n + 1, sizeof(double));
    work->products = calloc(n + 1, sizeof(double));
    work->solved = calloc(n + 1, sizeof(double));
    if (!work->matrix || !work->lower || !work->products || !work->solved)
        return status_out_of_memory();
    return noise_workspace_create(n_rows, n + 1, noise_sum_is_whole(noise), &work->whitened);
}

static void multiply(followed *work)
{
    size_t n = work->n;
    for (size_t k = 0; k < work->n_rows; k++) {
        const double *row = work->whitened.columns + k * (n + 1);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j <= i; j++)
                work->matrix[i * n + j] += row[i] * row[j];
            work->products[i] += row[i] * row[n];
        }
        work->square += row[n] * row[n];
    }
}

/* The factor of F + P; false where columns depend on each other. */
static bool factor_matrix(followed *work, const double *deviations)
{
    size_t n = work->n;
    memcpy(work->lower, work->matrix, n * n * sizeof *work->lower);
    for (size_t i = 0; i < n && deviations; i++)
        work->lower[i * (n + 1)] += 1.0 / (deviations[i] * deviations[i]);
    return cholesky_factor(n, NEGLIGIBLE_SHARE, work->lower);
}

static void solve(followed *work)
{
    memcpy(work->solved, work->products, work->n * sizeof *work->solved);
    cholesky_solve_lower(work->n, work->lower, work->solved);
    cholesky_solve_upper(work->n, work->lower, work->solved);
}

static double best_log_likelihood(const followed *work, double at_zero)
{
    size_t n = work->n;
    double sum = at_zero;
    for (size_t i = 0; i < n; i++) {
        double turned = 0.0;
        for (size_t j = 0; j < n; j++)
            turned += work->matrix[j <= i ? i * n + j : j * n + i] * work->solved[j];
        sum += (work->products[i] - 0.5 * turned) * work->solved[i];
    }
    return sum;
}

static double log_integral(const followed *work, const double *deviations, double at_zero)
{
    double sum = at_zero;
    for (size_t i = 0; i < work->n; i++) {
        sum += 0.5 * work->products[i] * work->solved[i] - log(work->lower[i * work->n + i]);
        sum += deviations ? -log(deviations[i]) : 0.5 * LOG_TWO_PI;
    }
    return sum;
}

static equant_status check_columns(const equant_noise_columns *columns, size_t n_rows)
{
    equant_status status = OPTIONS_CHECK(columns);
    if (status != EQUANT_SUCCESS)
        return status;
    const double *deviations = OPTION_OR_ZERO(columns, equant_noise_columns, standard_deviations);
    if (!OPTIONS_HAVE(columns, equant_noise_columns, columns) ||
        (columns->n > 0 && !columns->columns))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "columns are missing");
    for (size_t i = 0; i < columns->n * n_rows; i++)
        if (!isfinite(columns->columns[i]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "row %zu of column %zu is no number",
                               i % n_rows + 1, i / n_rows + 1);
    for (size_t i = 0; i < columns->n && deviations; i++)
        if (!(deviations[i] > 0.0 && isfinite(deviations[i])))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the standard deviation of coefficient %zu must be above 0", i + 1);
    return EQUANT_SUCCESS;
}

/* Whitens everything; false where there is no such covariance. */
static bool whiten_all(const noise_process *process, const equant_noise_rows *given,
                       const noise_rows *rows, const double *columns, followed *work)
{
    size_t width = work->n + 1;
    noise_factor *factor = &work->whitened.factor;
    if (!noise_factor_make(factor, process, &rows->of_factor, given->variances))
        return false;
    for (size_t k = 0; k < work->n_rows; k++) {
        for (size_t i = 0; i < work->n; i++)
            work->whitened.columns[k * width + i] = columns[i * work->n_rows + k];
        work->whitened.columns[k * width + work->n] = given->values[k];
    }
    noise_factor_whiten(factor, width, work->whitened.columns, work->whitened.state);
    return true;
}

static equant_status follow(const equant_noise_columns *columns, followed *work,
                            double *coefficients, double *log_likelihood, double *log_marginal)
{
    const double *deviations = OPTION_OR_ZERO(columns, equant_noise_columns, standard_deviations);
    multiply(work);
    if (!factor_matrix(work, deviations))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the columns are not independent of each other: leave some out, or give "
                           "them priors");
    solve(work);
    double at_zero = noise_factor_log_likelihood(&work->whitened.factor, work->square);
    if (coefficients)
        memcpy(coefficients, work->solved, work->n * sizeof *coefficients);
    if (log_likelihood)
        *log_likelihood = best_log_likelihood(work, at_zero);
    if (log_marginal)
        *log_marginal = log_integral(work, deviations, at_zero);
    return EQUANT_SUCCESS;
}

equant_status equant_noise_follow(const equant_noise *noise, const equant_noise_rows *given,
                                  const double *parameters, const equant_noise_columns *columns,
                                  double *coefficients, double *log_likelihood,
                                  double *log_marginal)
{
    if (!noise || !given || !columns)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "linear terms need noise, rows and columns");
    noise_rows rows;
    noise_process process;
    followed work;
    equant_status status = noise_rows_open(noise, given, NOISE_ROWS_VALUES, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    memset(&work, 0, sizeof work);
    status = check_columns(columns, given->n);
    if (status == EQUANT_SUCCESS)
        status = followed_create(noise, given->n, columns->n, &work);
    if (status == EQUANT_SUCCESS &&
        (!noise_sum_process(noise, parameters ? parameters : noise->values, rows.n_instruments,
                            &process) ||
         !whiten_all(&process, given, &rows, columns->columns, &work)))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "no noise has these parameters: there is nothing to follow beside it");
    if (status == EQUANT_SUCCESS)
        status = follow(columns, &work, coefficients, log_likelihood, log_marginal);
    followed_free(&work);
    noise_rows_close(&rows);
    return status;
}
