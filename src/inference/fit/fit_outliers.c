#include "inference/fit/fit_outliers.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/outliers.h"

void fit_outliers_free(fit_outliers *made)
{
    free(made->outliers);
    free(made->rows);
    free(made->uncertainties_m_s);
    *made = (fit_outliers){.n = 0};
}

/* One of them; its rows go behind those that are there. */
static void keep_outlier(const study *star, const outlier *own, const outlier_view *seen,
                         size_t *rows, equant_fitted_outlier *made)
{
    const size_t *of_unit;
    size_t n_rows = outlier_book_rows(&star->book, own->unit, &of_unit);
    double time = 0.0;
    memcpy(rows, of_unit, n_rows * sizeof *rows);
    for (size_t i = 0; i < n_rows; i++)
        time += equant_dataset_times_days(star->dataset)[rows[i]] / (double)n_rows;
    *made = (equant_fitted_outlier){.struct_size = sizeof *made,
                                    .n_rows = n_rows,
                                    .rows = rows,
                                    .instrument =
                                        (size_t)equant_dataset_instruments(star->dataset)[rows[0]],
                                    .is_night = outlier_book_is_night(&star->book, own->unit),
                                    .time_days = time,
                                    .deviation_m_s = seen->deviation_m_s,
                                    .expected_m_s = seen->sigma_m_s,
                                    .widening_m_s = own->widening_m_s};
}

static equant_status keep_set(study *star, const solution *best, fit_outliers *made)
{
    const outlier_set *set = best->noise.outliers;
    outlier_view *views = malloc(outliers_n_views(star) * sizeof *views);
    double chi_square;
    made->outliers = calloc(set->n, sizeof *made->outliers);
    made->rows = calloc(star->n_obs, sizeof *made->rows);
    equant_status status =
        views && made->outliers && made->rows ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = outliers_look(star, 0, best, views, &chi_square);
    for (size_t i = 0, n_rows = 0; i < set->n && status == EQUANT_SUCCESS; i++) {
        const outlier *own = &set->outliers[i];
        keep_outlier(star, own, &views[own->unit], made->rows + n_rows, &made->outliers[i]);
        n_rows += made->outliers[i].n_rows;
        made->n++;
    }
    free(views);
    return status;
}

static int compare_times(const void *a, const void *b)
{
    const equant_fitted_outlier *x = a, *y = b;
    return x->time_days < y->time_days ? -1 : x->time_days > y->time_days;
}

equant_status fit_outliers_create(study *star, const solution *best, fit_outliers *made)
{
    made->uncertainties_m_s = malloc(star->n_obs * sizeof *made->uncertainties_m_s);
    if (!made->uncertainties_m_s)
        return status_out_of_memory();
    memcpy(made->uncertainties_m_s, study_uncertainties(star, best->noise),
           star->n_obs * sizeof *made->uncertainties_m_s);
    if (!best->noise.outliers)
        return EQUANT_SUCCESS;
    equant_status status = keep_set(star, best, made);
    qsort(made->outliers, made->n, sizeof *made->outliers, compare_times);
    return status;
}
