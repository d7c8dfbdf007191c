#include "inference/likelihood/set_columns.h"

#include <string.h>

set_columns set_columns_of(const study *star, const study_shape *shape)
{
    parameter_layout layout = study_layout(star, shape->n_planets, shape->trend_order);
    return (set_columns){
        .n_all = layout.n_parameters,
        .n_mean = parameter_layout_first_noise(&layout),
        .n_inner = layout.n_parameters - star->menu.n_indicators - star->menu.n_parameters,
        .first_indicator = study_first_indicator(star, shape->n_planets, shape->trend_order)};
}

size_t set_columns_n_series(const study *star)
{
    return star->menu.series ? star->menu.series->found.n_series : 0;
}

void set_columns_squeeze(const study *star, const set_columns *from, const double *set,
                         double *inner)
{
    memcpy(inner, set, from->first_indicator * sizeof *inner);
    memcpy(inner + from->first_indicator, set + from->n_mean, star->n_instruments * sizeof *inner);
}

void set_columns_spread(const study *star, const set_columns *from, const double *inner,
                        double *whole)
{
    size_t gap = star->menu.n_indicators;
    memset(whole, 0, from->n_all * sizeof *whole);
    for (size_t i = 0; i < from->n_inner; i++)
        whole[i < from->first_indicator ? i : i + gap] = inner[i];
}

void set_columns_spread_matrix(const study *star, const set_columns *from, const double *inner,
                               double *whole)
{
    size_t all = from->n_all, n = from->n_inner, gap = star->menu.n_indicators;
    memset(whole, 0, all * all * sizeof *whole);
    for (size_t i = 0; i < n; i++)
        set_columns_spread(star, from, inner + i * n,
                           whole + (i < from->first_indicator ? i : i + gap) * all);
}

void set_columns_add_indicators(const study *star, const study_shape *shape,
                                const set_columns *from, const double *set, double *velocities,
                                double *residuals)
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

void set_columns_gather(const study *star, const study_shape *shape, const set_columns *from,
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
