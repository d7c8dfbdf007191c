#include "noise/noise_slopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "noise/noise_whole.h"

bool noise_slopes_need_whole(const noise_process *process, const noise_factor_rows *rows)
{
    for (size_t k = 0; k < rows->n; k++)
        if ((rows->alpha && rows->alpha[k] != 1.0) || (rows->beta && rows->beta[k] != 0.0))
            return true;
    return noise_covariance_is_whole(process);
}

equant_status noise_slopes_create(size_t n_rows, size_t n_states, bool is_whole, noise_slopes *made)
{
    size_t n_work = is_whole ? n_rows : noise_state_size(n_states) + 1,
           n_matrix = is_whole ? n_rows : 0;
    *made = (noise_slopes){.is_whole = is_whole};
    made->solved = malloc((n_rows + 1) * sizeof(double));
    made->by_variance = malloc((n_rows + 1) * sizeof(double));
    made->work = malloc((n_rows * n_work + 1) * sizeof(double));
    made->matrix = malloc((n_rows * n_matrix + 1) * sizeof(double));
    made->places = calloc(n_rows + 1, sizeof *made->places);
    if (made->solved && made->by_variance && made->work && made->matrix && made->places)
        return EQUANT_SUCCESS;
    noise_slopes_free(made);
    return status_out_of_memory();
}

void noise_slopes_free(noise_slopes *slopes)
{
    free(slopes->solved);
    free(slopes->by_variance);
    free(slopes->work);
    free(slopes->matrix);
    free(slopes->places);
    *slopes = (noise_slopes){.solved = NULL};
}

static double find_by_states(const noise_process *process, const noise_factor_rows *rows,
                             const double *values, const double *variances, noise_slopes *slopes)
{
    size_t n = rows->n;
    double *gaps = slopes->work, *kept = gaps + n, chi_square, log_determinant;
    const noise_adjoint_rows given = {.n = n,
                                      .gap_days = gaps,
                                      .values = values,
                                      .variances = variances,
                                      .night_place = slopes->places,
                                      .begins_night = rows->begins_night,
                                      .owners = rows->owners};
    for (size_t k = 0; k < n; k++) {
        gaps[k] = k > 0 ? rows->time_days[k] - rows->time_days[k - 1] : 0.0;
        slopes->places[k] = rows->instruments ? rows->instruments[k] : 0;
    }
    if (!noise_adjoint_forward(process, &given, kept, &chi_square, &log_determinant))
        return -INFINITY;
    noise_adjoint_backward(process, &given, kept, -0.5, -0.5, slopes->solved, slopes->by_variance,
                           slopes->by_block);
    for (size_t k = 0; k < n; k++)
        slopes->solved[k] = -slopes->solved[k];
    return -0.5 * (chi_square + log_determinant + (double)n * LOG_TWO_PI);
}

static double find_by_matrices(const noise_process *process, const noise_factor_rows *rows,
                               const double *values, const double *variances, noise_factor *factor,
                               noise_slopes *slopes)
{
    size_t n = rows->n;
    factor->n_rows = n;
    factor->is_whole = true;
    factor->time_days = NULL; /* nothing is propagated */
    if (!noise_whole_decompose(factor, process, rows, variances))
        return -INFINITY;
    memcpy(slopes->solved, values, n * sizeof *values);
    double chi_square = noise_factor_square(factor, slopes->solved, NULL);
    noise_whole_differentiate(factor, slopes->solved, slopes->work, slopes->matrix);
    for (size_t k = 0; k < n; k++)
        slopes->by_variance[k] = slopes->matrix[k * n + k];
    noise_whole_slopes_of_blocks(factor, process, slopes->matrix, slopes->by_block);
    return noise_factor_log_likelihood(factor, chi_square);
}

double noise_slopes_find(const noise_process *process, const noise_factor_rows *rows,
                         const double *values, const double *variances, noise_factor *factor,
                         noise_slopes *slopes)
{
    return slopes->is_whole ? find_by_matrices(process, rows, values, variances, factor, slopes)
                            : find_by_states(process, rows, values, variances, slopes);
}
