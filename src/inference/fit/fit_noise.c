#include "inference/fit/fit_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/set_likelihood.h"
#include "inference/likelihood/set_process.h"
#include "inference/likelihood/noise_indicators.h"
#include "model/circle.h"

void fit_noise_free(fit_noise *noise)
{
    free(noise->process_m_s);
    noise->process_m_s = NULL;
}

static double error_of(const uncertainty *known, size_t column)
{
    return sqrt(known->regular[column * known->n + column]);
}

static void keep_terms(const study *star, const planet_finder_result *finding,
                       const uncertainty *known, fit_noise *made)
{
    const solution *best = &finding->best;
    size_t first = study_first_correlated(star, best->n_planets, best->trend_order);
    for (size_t t = 0; t < star->menu.n_terms; t++) {
        const noise_menu_term *term = &star->menu.terms[t];
        bool is_chosen = best->noise.terms >> t & 1;
        memcpy(made->names[t], term->name, sizeof made->names[t]);
        /* Not of a shape of a noise that the star does not have, nor where it was cut off. */
        bool was_tried = !isnan(finding->noise_trials[t].delta_bic);
        if (was_tried)
            made->trials[made->n_trials++] = (equant_fitted_noise_trial){
                .struct_size = sizeof(equant_fitted_noise_trial),
                .term = made->names[t],
                .is_chosen = is_chosen,
                .log_likelihood_gain = finding->noise_trials[t].log_likelihood_gain,
                .delta_bic = finding->noise_trials[t].delta_bic,
                .is_given = star->menu.always.terms >> t & 1};
        for (size_t i = 0; i < term->kind->n_parameters && is_chosen; i++)
            made->parameters[made->n_parameters++] = (equant_fitted_noise_parameter){
                .struct_size = sizeof(equant_fitted_noise_parameter),
                .term = made->names[t],
                .name = term->kind->parameters[i].name,
                .unit = term->kind->parameters[i].unit,
                .value = best->set[first + term->first + i],
                .err = error_of(known, first + term->first + i),
                .is_fixed = !noise_range_is_open(&term->parameters[i])};
    }
}

static void keep_indicator_trials(const study *star, const planet_finder_result *finding,
                                  fit_noise *made)
{
    for (size_t i = 0; i < star->menu.n_indicators; i++) {
        const noise_menu_indicator *column = &star->menu.indicators[i];
        bool is_chosen = finding->best.noise.indicators >> i & 1;
        if (isnan(finding->indicator_trials[i].delta_bic))
            continue; /* cut off */
        made->indicator_trials[made->n_indicator_trials++] = (equant_fitted_indicator_trial){
            .struct_size = sizeof(equant_fitted_indicator_trial),
            .indicator = column->indicator,
            .instrument = column->instrument,
            .smoothing_days = column->smoothing_days,
            .is_chosen = is_chosen,
            .is_given = star->menu.always.indicators >> i & 1,
            .log_likelihood_gain = finding->indicator_trials[i].log_likelihood_gain,
            .delta_bic = finding->indicator_trials[i].delta_bic};
        if (is_chosen)
            noise_indicators_remark(star->dataset, column, &made->remarks);
    }
}

static void keep_indicators(const study *star, const solution *best, const uncertainty *known,
                            fit_noise *made)
{
    size_t first = study_first_indicator(star, best->n_planets, best->trend_order);
    for (size_t i = 0; i < star->menu.n_indicators; i++) {
        const noise_menu_indicator *column = &star->menu.indicators[i];
        if (best->noise.indicators >> i & 1)
            made->indicators[made->n_indicators++] =
                (equant_fitted_indicator){.struct_size = sizeof(equant_fitted_indicator),
                                          .indicator = column->indicator,
                                          .instrument = column->instrument,
                                          .smoothing_days = column->smoothing_days,
                                          .slope_m_s = best->set[first + i],
                                          .slope_m_s_err = error_of(known, first + i),
                                          .mean = column->mean,
                                          .deviation = column->deviation};
    }
}

static void keep_series(const study *star, const solution *best, const uncertainty *known,
                        fit_noise *made)
{
    const series_rows *series = star->menu.series;
    made->lead_days = made->lead_days_err = NAN;
    if (!series)
        return;
    size_t noise = study_first_correlated(star, best->n_planets, best->trend_order),
           first = noise + star->menu.first_series;
    double period_days = best->set[noise + star->menu.terms[star->menu.series_term].first + 1];
    made->lead_days = remainder(best->set[first + SERIES_LEAD], TWO_PI) / TWO_PI * period_days;
    made->lead_days_err = error_of(known, first + SERIES_LEAD) / TWO_PI * period_days;
    for (size_t s = 0; s < series->found.n_series; s++, first += SERIES_VALUES) {
        const spot_series *own = &series->found.series[s];
        made->series[made->n_series++] = (equant_fitted_series){
            .struct_size = sizeof(equant_fitted_series),
            .indicator = own->indicator,
            .instrument = own->instrument,
            .scale = own->deviation * best->set[first + SERIES_SCALE],
            .scale_err = own->deviation * error_of(known, first + SERIES_SCALE),
            .rate = own->deviation * best->set[first + SERIES_RATE],
            .rate_err = own->deviation * error_of(known, first + SERIES_RATE),
            .jitter = own->deviation * best->set[first + SERIES_JITTER],
            .jitter_err = own->deviation * error_of(known, first + SERIES_JITTER)};
    }
}

static equant_status keep_process(study *star, const solution *best, const double *residuals_m_s,
                                  fit_noise *made)
{
    const study_shape shape = solution_shape(best);
    made->process_m_s = calloc(star->n_obs, sizeof *made->process_m_s);
    return made->process_m_s
               ? set_process_expect(star, &shape, best->set, residuals_m_s, made->process_m_s)
               : status_out_of_memory();
}

equant_status fit_noise_create(study *star, const planet_finder_result *finding,
                               const uncertainty *known, const double *residuals_m_s,
                               fit_noise *made)
{
    made->remarks = star->menu.remarks;
    keep_terms(star, finding, known, made);
    keep_indicator_trials(star, finding, made);
    keep_indicators(star, &finding->best, known, made);
    keep_series(star, &finding->best, known, made);
    return keep_process(star, &finding->best, residuals_m_s, made);
}

equant_status equant_fit_indicator_column(const equant_dataset *dataset,
                                          const equant_fitted_indicator *indicator, double *column)
{
    if (!dataset || !indicator || !column)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the column of an indicator needs data, the indicator and a place to "
                           "put it");
    equant_status status = OPTIONS_CHECK(indicator);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_fitted_indicator own = {.struct_size = 0};
    size_t size = indicator->struct_size < sizeof own ? indicator->struct_size : sizeof own;
    memcpy(&own, indicator, size);
    if (own.indicator >= equant_dataset_n_indicators(dataset) ||
        own.instrument >= equant_dataset_n_instruments(dataset) || !(own.deviation > 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the data have no such indicator of such an instrument");
    const noise_menu_indicator wanted = {.indicator = own.indicator,
                                         .instrument = own.instrument,
                                         .smoothing_days = own.smoothing_days};
    noise_indicators_values(dataset, &wanted, column);
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
        column[k] = isnan(column[k]) ? 0.0 : (column[k] - own.mean) / own.deviation;
    return EQUANT_SUCCESS;
}
