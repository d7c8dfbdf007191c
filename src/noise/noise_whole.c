#include "noise/noise_whole.h"

#include <math.h>
#include <string.h>

#include "model/dot_product.h"

/* The row at which the night of a row began: one number for all rows of a night. */
static double night_of(const noise_factor_rows *rows, size_t k)
{
    int own = rows->instruments ? rows->instruments[k] : 0;
    for (size_t j = k + 1; j-- > 0;)
        if ((rows->instruments ? rows->instruments[j] : 0) == own &&
            (!rows->begins_night || rows->begins_night[j]))
            return (double)j;
    return -1.0;
}

void noise_whole_fill(const noise_process *process, const noise_factor_rows *rows,
                      const double *variances, noise_place *places, double *matrix)
{
    size_t n = rows->n;
    for (size_t k = 0; k < n; k++) {
        size_t weight = rows->is_uniform ? 0 : k;
        places[k] = (noise_place){.time_days = rows->time_days[k],
                                  .night = night_of(rows, k),
                                  .alpha = rows->alpha ? rows->alpha[weight] : 1.0,
                                  .beta = rows->beta ? rows->beta[weight] : 0.0,
                                  .instrument = rows->instruments ? rows->instruments[k] : 0,
                                  .owner = rows->owners ? rows->owners[k] : 0};
        for (size_t j = 0; j <= k; j++)
            matrix[k * n + j] = noise_covariance(process, &places[k], &places[j]);
        matrix[k * n + k] += variances[k];
    }
}

/* Row by row, in place (Cholesky). */
bool noise_whole_decompose(noise_factor *factor, const noise_process *process,
                           const noise_factor_rows *rows, const double *variances)
{
    size_t n = rows->n;
    double *l = factor->lower, sum = 0.0;
    noise_whole_fill(process, rows, variances, factor->places, l);
    for (size_t k = 0; k < n; k++) {
        double *row = l + k * n;
        factor->marginal[k] = row[k];
        for (size_t j = 0; j < k; j++)
            row[j] = (row[j] - dot_product(j, row, l + j * n)) * factor->root_weight[j];
        double d = row[k] - dot_product(k, row, row);
        if (!(d > 0.0) || !isfinite(d))
            return false;
        row[k] = sqrt(d);
        factor->variance[k] = d;
        factor->root_weight[k] = 1.0 / row[k];
        sum += log(d);
    }
    factor->log_determinant = sum;
    return true;
}

void noise_whole_whiten(const noise_factor *factor, size_t n_columns, double *columns)
{
    size_t n = factor->n_rows;
    for (size_t k = 0; k < n; k++) {
        double *x = columns + k * n_columns;
        for (size_t j = 0; j < k; j++) {
            double share = factor->lower[k * n + j];
            const double *other = columns + j * n_columns;
            for (size_t c = 0; c < n_columns; c++)
                x[c] -= share * other[c];
        }
        for (size_t c = 0; c < n_columns; c++)
            x[c] *= factor->root_weight[k];
    }
}

void noise_whole_colour(const noise_factor *factor, size_t n_columns, double *columns)
{
    size_t n = factor->n_rows;
    for (size_t k = n; k-- > 0;) {
        double *x = columns + k * n_columns;
        for (size_t c = 0; c < n_columns; c++)
            x[c] *= factor->lower[k * n + k];
        for (size_t j = 0; j < k; j++) {
            double share = factor->lower[k * n + j];
            const double *other = columns + j * n_columns;
            for (size_t c = 0; c < n_columns; c++)
                x[c] += share * other[c];
        }
    }
}

void noise_whole_solve_back(const noise_factor *factor, double *column)
{
    size_t n = factor->n_rows;
    for (size_t k = n; k-- > 0;) {
        column[k] *= factor->root_weight[k];
        for (size_t j = 0; j < k; j++)
            column[j] -= factor->lower[k * n + j] * column[k];
    }
}

/* Rows of L^-1 below one another. */
static void invert(const noise_factor *factor, double *inverse)
{
    size_t n = factor->n_rows;
    memset(inverse, 0, n * n * sizeof *inverse);
    for (size_t k = 0; k < n; k++) {
        double *row = inverse + k * n;
        row[k] = 1.0;
        for (size_t j = 0; j < k; j++) {
            double share = factor->lower[k * n + j];
            const double *other = inverse + j * n;
            for (size_t c = 0; c <= j; c++)
                row[c] -= share * other[c];
        }
        for (size_t c = 0; c <= k; c++)
            row[c] *= factor->root_weight[k];
    }
}

void noise_whole_differentiate(const noise_factor *factor, double *solved, double *inverse,
                               double *slopes)
{
    size_t n = factor->n_rows;
    invert(factor, inverse);
    noise_whole_solve_back(factor, solved);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            slopes[i * n + j] = 0.5 * solved[i] * solved[j];
    for (size_t k = 0; k < n; k++) {
        const double *row = inverse + k * n;
        for (size_t i = 0; i <= k; i++) {
            double half = 0.5 * row[i];
            for (size_t j = 0; j <= i; j++)
                slopes[i * n + j] -= half * row[j];
        }
    }
}

void noise_whole_slopes_of_blocks(const noise_factor *factor, const noise_process *process,
                                  const double *slopes,
                                  noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS])
{
    size_t n = factor->n_rows;
    memset(by_block, 0, NOISE_PROCESS_MOST_BLOCKS * sizeof *by_block);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            noise_covariance_differentiate(process, &factor->places[i], &factor->places[j],
                                           (i == j ? 1.0 : 2.0) * slopes[i * n + j], by_block);
}
