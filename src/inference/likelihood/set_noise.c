#include "inference/likelihood/set_noise.h"

#include <math.h>

#include "inference/likelihood/set_columns.h"
#include "model/circle.h"

noise_factor_rows set_noise_rows(const study *star, const double *values, double *alpha,
                                 double *beta)
{
    const series_rows *series = star->menu.series;
    if (!series)
        return (noise_factor_rows){.n = star->n_obs,
                                   .time_days = equant_dataset_times_days(star->dataset),
                                   .instruments = star->menu.night_state,
                                   .begins_night = star->menu.begins_night,
                                   .owners = equant_dataset_instruments(star->dataset)};
    const double *of_term = values + star->menu.terms[star->menu.series_term].first;
    series_rows_weigh(series, values + star->menu.first_series, of_term[0], of_term[1], alpha,
                      beta);
    return (noise_factor_rows){.n = series->n,
                               .time_days = series->time_days,
                               .alpha = alpha,
                               .beta = beta,
                               .instruments = series->night_state,
                               .begins_night = series->begins_night,
                               .owners = series->owners};
}

/* Velocities alone; alpha and beta are one number each. */
static noise_factor_rows velocity_rows(const study *star, const double *values, double *alpha,
                                       double *beta)
{
    noise_factor_rows rows = {.n = star->n_obs,
                              .time_days = equant_dataset_times_days(star->dataset),
                              .instruments = star->menu.night_state,
                              .begins_night = star->menu.begins_night,
                              .owners = equant_dataset_instruments(star->dataset)};
    if (star->menu.series) {
        double lead = values[star->menu.first_series + SERIES_LEAD],
               period_days = values[star->menu.terms[star->menu.series_term].first + 1];
        *alpha = cos(lead);
        *beta = sin(lead) * period_days / TWO_PI;
        rows.alpha = alpha;
        rows.beta = beta;
        rows.is_uniform = true;
    }
    return rows;
}

static double variance_at(const study *star, const double *sigma, const double *jitters, size_t k)
{
    double jitter = jitters[equant_dataset_instruments(star->dataset)[k]];
    return sigma[k] * sigma[k] + jitter * jitter;
}

void set_noise_variances(const study *star, noise_choice noise, const double *jitters,
                         double *variances)
{
    const double *sigma = study_uncertainties(star, noise);
    const series_rows *series = star->menu.series;
    for (size_t k = 0; k < star->n_obs; k++)
        variances[series ? series->row[k] : k] = variance_at(star, sigma, jitters, k);
    if (series)
        series_rows_variances(series, jitters + star->n_instruments + star->menu.first_series,
                              variances);
}

static bool factor_process(const study *star, const study_shape *shape, const double *set,
                           bool is_scanned, double *variances, noise_factor *factor)
{
    set_columns from = set_columns_of(star, shape);
    const double *jitters = set + from.n_mean, *values = jitters + star->n_instruments;
    const double *sigma = study_uncertainties(star, shape->noise);
    double alpha, beta;
    const noise_factor_rows rows = velocity_rows(star, values, &alpha, &beta);
    noise_process process;
    if (is_scanned)
        noise_menu_scanned_process(&star->menu, shape->noise, values, &process);
    else
        noise_menu_process(&star->menu, shape->noise, values, &process);
    for (size_t k = 0; k < star->n_obs; k++)
        variances[k] = variance_at(star, sigma, jitters, k);
    return noise_factor_make(factor, &process, &rows, variances);
}

bool set_noise_factor(const study *star, const study_shape *shape, const double *set,
                      double *variances, noise_factor *factor)
{
    return factor_process(star, shape, set, false, variances, factor);
}

bool set_noise_scanned_factor(const study *star, const study_shape *shape, const double *set,
                              double *variances, noise_factor *factor)
{
    return factor_process(star, shape, set, true, variances, factor);
}
