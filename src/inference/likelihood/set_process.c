#include "inference/likelihood/set_process.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/set_worker.h"
#include "inference/likelihood/small_matrix.h"

/* The residuals of all rows, with offsets of series at their best, into [n_rows]; columns has room
 * for [n_rows][n_series + 1]. */
static void leave_offsets(const study *star, set_worker *w, const double *residuals,
                          double *columns, double *left)
{
    size_t n = w->factor.n_rows, n_series = set_columns_n_series(star), width = n_series + 1;
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
equant_status set_process_expect(study *star, const study_shape *shape, const double *set,
                                 const double *residuals, double *process)
{
    set_columns from = set_columns_of(star, shape);
    set_worker *w;
    equant_status status = set_worker_require(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    memset(process, 0, star->n_obs * sizeof *process);
    if (shape->noise.terms == 0 || !set_worker_factor(star, shape, &from, set, w))
        return EQUANT_SUCCESS;
    size_t n = w->factor.n_rows;
    double state[2 * NOISE_PROCESS_MOST_STATES];
    double *columns = malloc((set_columns_n_series(star) + 1) * n * sizeof *columns),
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
