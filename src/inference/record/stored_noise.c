#include "inference/record/stored_noise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/status_fail.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static equant_status refuse(const char *path, const char *what, const char *name)
{
    return status_fail(EQUANT_ERROR_FORMAT, "%s: there is no %s '%.60s' here", path, what,
                       name ? name : "");
}

/* The name of a term, "mep" or "mep@HARPS", which lives as long as the fit; NULL where there is no
 * room for another. */
static const char *keep_name(const char *name, const char *instrument, fit_noise *made)
{
    char whole[NOISE_MENU_NAME_SIZE];
    size_t i = 0;
    snprintf(whole, sizeof whole, "%s%s%s", name, instrument ? "@" : "",
             instrument ? instrument : "");
    while (i < COUNT(made->names) && made->names[i][0] && strcmp(made->names[i], whole) != 0)
        i++;
    return i < COUNT(made->names) ? memcpy(made->names[i], whole, sizeof whole) : NULL;
}

static const noise_parameter_kind *find_parameter(const noise_term_kind *kind, const char *name)
{
    for (size_t i = 0; i < kind->n_parameters; i++)
        if (strcmp(kind->parameters[i].name, name) == 0)
            return &kind->parameters[i];
    return NULL;
}

static equant_status take_term(const char *path, const document_term *own, fit_noise *made)
{
    const noise_term_kind *kind = noise_catalogue_find(own->name, strlen(own->name));
    const char *name = kind ? keep_name(own->name, own->instrument, made) : NULL;
    const document_parameter *parameters = own->parameters.rows;
    if (!name)
        return refuse(path, "term of noise", own->name);
    for (size_t i = 0; i < own->parameters.n; i++) {
        const noise_parameter_kind *known = find_parameter(kind, parameters[i].key);
        if (!known || made->n_parameters == COUNT(made->parameters))
            return refuse(path, "parameter of noise", parameters[i].key);
        made->parameters[made->n_parameters++] =
            (equant_fitted_noise_parameter){.struct_size = sizeof(equant_fitted_noise_parameter),
                                            .term = name,
                                            .name = known->name,
                                            .unit = known->unit,
                                            .value = parameters[i].value,
                                            .err = parameters[i].err,
                                            .is_fixed = parameters[i].is_fixed > 0};
    }
    return EQUANT_SUCCESS;
}

static equant_status take_trial(const char *path, const document_trial *own, fit_noise *made)
{
    const char *name = own->name ? keep_name(own->name, own->instrument, made) : NULL;
    if (!name || made->n_trials == COUNT(made->trials))
        return refuse(path, "term of noise", own->name);
    made->trials[made->n_trials++] =
        (equant_fitted_noise_trial){.struct_size = sizeof(equant_fitted_noise_trial),
                                    .term = name,
                                    .is_chosen = own->is_chosen > 0,
                                    .is_given = own->is_given > 0,
                                    .log_likelihood_gain = own->log_likelihood_gain,
                                    .delta_bic = own->delta_bic};
    return EQUANT_SUCCESS;
}

/* The places of an indicator and of its instrument in the data. */
static equant_status find_places(const char *path, const equant_dataset *dataset, const char *name,
                                 const char *instrument, size_t *indicator, size_t *of_instrument)
{
    size_t i = 0, j = 0;
    while (name && i < equant_dataset_n_indicators(dataset) &&
           strcmp(equant_dataset_indicator(dataset, i)->name, name) != 0)
        i++;
    while (instrument && j < equant_dataset_n_instruments(dataset) &&
           strcmp(equant_dataset_instrument_name(dataset, j), instrument) != 0)
        j++;
    *indicator = i;
    *of_instrument = j;
    if (!name || i == equant_dataset_n_indicators(dataset))
        return refuse(path, "indicator", name);
    return instrument && j < equant_dataset_n_instruments(dataset)
               ? EQUANT_SUCCESS
               : refuse(path, "instrument", instrument);
}

static equant_status take_indicator(const char *path, const document_indicator *own,
                                    const equant_dataset *dataset, fit_noise *made)
{
    equant_fitted_indicator row = {.struct_size = sizeof row,
                                   .slope_m_s = own->slope_m_s,
                                   .slope_m_s_err = own->slope_m_s_err,
                                   .mean = own->mean,
                                   .deviation = own->deviation,
                                   .smoothing_days = own->smoothing_days};
    if (made->n_indicators == COUNT(made->indicators))
        return refuse(path, "place for the indicator", own->name);
    equant_status status =
        find_places(path, dataset, own->name, own->instrument, &row.indicator, &row.instrument);
    made->indicators[made->n_indicators] = row;
    made->n_indicators += status == EQUANT_SUCCESS;
    return status;
}

static equant_status take_indicator_trial(const char *path, const document_trial *own,
                                          const equant_dataset *dataset, fit_noise *made)
{
    equant_fitted_indicator_trial row = {.struct_size = sizeof row,
                                         .smoothing_days = own->smoothing_days,
                                         .is_chosen = own->is_chosen > 0,
                                         .is_given = own->is_given > 0,
                                         .log_likelihood_gain = own->log_likelihood_gain,
                                         .delta_bic = own->delta_bic};
    if (made->n_indicator_trials == COUNT(made->indicator_trials))
        return refuse(path, "place for the indicator", own->name);
    equant_status status =
        find_places(path, dataset, own->name, own->instrument, &row.indicator, &row.instrument);
    made->indicator_trials[made->n_indicator_trials] = row;
    made->n_indicator_trials += status == EQUANT_SUCCESS;
    return status;
}

static equant_status take_series(const char *path, const document_series *own,
                                 const equant_dataset *dataset, fit_noise *made)
{
    equant_fitted_series row = {.struct_size = sizeof row,
                                .scale = own->scale,
                                .scale_err = own->scale_err,
                                .rate = own->rate,
                                .rate_err = own->rate_err,
                                .jitter = own->jitter,
                                .jitter_err = own->jitter_err};
    if (made->n_series == COUNT(made->series))
        return refuse(path, "place for the series", own->name);
    equant_status status =
        find_places(path, dataset, own->name, own->instrument, &row.indicator, &row.instrument);
    made->series[made->n_series] = row;
    made->n_series += status == EQUANT_SUCCESS;
    return status;
}

#define ROW(list, type, i) ((const type *)(list).rows + (i))

equant_status stored_noise_take(const char *path, const document_noise *document,
                                const equant_dataset *dataset, fit_noise *made)
{
    equant_status status = EQUANT_SUCCESS;
    made->lead_days = made->lead_days_err = made->rotation_probability = NAN;
    if (!document)
        return status;
    for (size_t i = 0; i < document->terms.n && status == EQUANT_SUCCESS; i++)
        status = take_term(path, ROW(document->terms, document_term, i), made);
    for (size_t i = 0; i < document->trials.n && status == EQUANT_SUCCESS; i++)
        status = take_trial(path, ROW(document->trials, document_trial, i), made);
    for (size_t i = 0; i < document->indicators.n && status == EQUANT_SUCCESS; i++)
        status =
            take_indicator(path, ROW(document->indicators, document_indicator, i), dataset, made);
    for (size_t i = 0; i < document->indicator_trials.n && status == EQUANT_SUCCESS; i++)
        status = take_indicator_trial(path, ROW(document->indicator_trials, document_trial, i),
                                      dataset, made);
    for (size_t i = 0; i < document->series.n && status == EQUANT_SUCCESS; i++)
        status = take_series(path, ROW(document->series, document_series, i), dataset, made);
    made->lead_days = document->lead_days;
    made->lead_days_err = document->lead_days_err;
    made->rotation_probability = document->rotation_probability;
    return status;
}
