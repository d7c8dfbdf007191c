#include "inference/find/fit_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/noise_indicators.h"
#include "inference/study/set_likelihood.h"

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
        made->trials[made->n_trials++] = (equant_fit_noise_trial){
            .struct_size = sizeof(equant_fit_noise_trial),
            .term = term->kind->name,
            .is_chosen = is_chosen,
            .log_likelihood_gain = finding->noise_trials[t].log_likelihood_gain,
            .delta_bic = finding->noise_trials[t].delta_bic,
            .is_given = star->menu.always.terms >> t & 1};
        for (size_t i = 0; i < term->kind->n_parameters && is_chosen; i++)
            made->parameters[made->n_parameters++] = (equant_fit_noise_parameter){
                .struct_size = sizeof(equant_fit_noise_parameter),
                .term = term->kind->name,
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
        made->indicator_trials[made->n_indicator_trials++] = (equant_fit_indicator_trial){
            .struct_size = sizeof(equant_fit_indicator_trial),
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
                (equant_fit_indicator){.struct_size = sizeof(equant_fit_indicator),
                                       .indicator = column->indicator,
                                       .instrument = column->instrument,
                                       .smoothing_days = column->smoothing_days,
                                       .slope_m_s = best->set[first + i],
                                       .slope_m_s_err = error_of(known, first + i),
                                       .mean = column->mean,
                                       .deviation = column->deviation};
    }
}

/* Residuals r = process + white: the process is expected to be r - white = r - V C^-1 r. */
static equant_status keep_process(const study *star, const solution *best,
                                  const double *residuals_m_s, fit_noise *made)
{
    const study_shape shape = solution_shape(best);
    size_t n = star->n_obs;
    double state[2 * NOISE_PROCESS_MOST_STATES], *variances = malloc(n * sizeof *variances);
    noise_factor factor = {.n_rows = 0};
    made->process_m_s = calloc(n, sizeof *made->process_m_s);
    equant_status status = made->process_m_s && variances ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS && best->noise.terms != 0)
        status = noise_menu_factor(&star->menu, n, &factor);
    if (status == EQUANT_SUCCESS && best->noise.terms != 0 &&
        set_likelihood_factor(star, &shape, best->set, variances, &factor)) {
        memcpy(made->process_m_s, residuals_m_s, n * sizeof *made->process_m_s);
        noise_factor_solve(&factor, made->process_m_s, state);
        for (size_t k = 0; k < n; k++)
            made->process_m_s[k] = residuals_m_s[k] - variances[k] * made->process_m_s[k];
    }
    noise_factor_free(&factor);
    free(variances);
    return status;
}

equant_status fit_noise_create(study *star, const planet_finder_result *finding,
                               const uncertainty *known, const double *residuals_m_s,
                               fit_noise *made)
{
    made->remarks = star->menu.remarks;
    keep_terms(star, finding, known, made);
    keep_indicator_trials(star, finding, made);
    keep_indicators(star, &finding->best, known, made);
    return keep_process(star, &finding->best, residuals_m_s, made);
}

equant_status equant_fit_indicator_column(const equant_dataset *dataset,
                                          const equant_fit_indicator *indicator, double *column)
{
    if (!dataset || !indicator || !column)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the column of an indicator needs data, the indicator and a place to "
                           "put it");
    equant_status status = OPTIONS_CHECK(indicator);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_fit_indicator own = {.struct_size = 0};
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
