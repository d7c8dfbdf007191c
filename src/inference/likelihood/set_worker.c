#include "inference/likelihood/set_worker.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/set_noise.h"
#include "inference/likelihood/small_matrix.h"

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

void set_worker_dismiss(set_worker *w)
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
        set_worker_dismiss(w);
    return status;
}

static bool make_columns(const study *star, set_worker *w, size_t n)
{
    size_t n_obs = star->n_obs, all = n + set_columns_n_series(star);
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

equant_status set_worker_require(study *star, const set_columns *from, set_worker **w)
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

bool set_worker_factor(const study *star, const study_shape *shape, const set_columns *from,
                       const double *set, set_worker *w)
{
    const double *jitters = set + from->n_mean;
    noise_factor_rows rows =
        set_noise_rows(star, jitters + star->n_instruments, w->next_alpha, w->next_beta);
    noise_process process;
    noise_menu_process(&star->menu, shape->noise, jitters + star->n_instruments, &process);
    set_noise_variances(star, shape->noise, jitters, w->next_variances);
    if (w->is_proper && noise_process_same_rates(&process, &w->factor.process) &&
        noise_process_same_sizes(&process, &w->factor.process) &&
        memcmp(w->variances, w->next_variances, rows.n * sizeof *w->variances) == 0 &&
        memcmp(w->alpha, w->next_alpha, 2 * rows.n * sizeof *w->alpha) == 0)
        return true;
    memcpy(w->variances, w->next_variances, rows.n * sizeof *w->variances);
    memcpy(w->alpha, w->next_alpha, 2 * rows.n * sizeof *w->alpha);
    w->is_proper = noise_factor_make(&w->factor, &process, &rows, w->variances);
    return w->is_proper;
}

void set_worker_multiply(const study *star, size_t width, double *columns, set_worker *w)
{
    size_t n = set_columns_n_series(star), all = n + width;
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
