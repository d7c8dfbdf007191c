#include "inference/fit/fit_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "model/model_quantities.h"

void equant_fit_free(equant_fit *fit)
{
    if (!fit)
        return;
    equant_model_free(fit->model);
    free(fit->parameters);
    free(fit->covariance);
    free(fit->velocities_m_s);
    free(fit->residuals_m_s);
    free(fit->planets);
    free(fit->families);
    fit_quantities_free(&fit->quantities);
    fit_quantities_free(&fit->candidate_quantities);
    fit_noise_free(&fit->noise);
    fit_outliers_free(&fit->outliers);
    free(fit);
}

char equant_fit_letter(const equant_fit *fit, size_t index)
{
    return fit && index < fit->n_planets ? fit->letters[index] : '\0';
}

int equant_fit_has_letters(const equant_fit *fit)
{
    return fit && fit->has_letters;
}

double equant_fit_mass_jupiter(const equant_fit *fit, size_t index, double *err)
{
    bool is_there = fit && index < fit->n_planets;
    if (err)
        *err = is_there ? fit->masses_jupiter[index][1] : NAN;
    return is_there ? fit->masses_jupiter[index][0] : NAN;
}

/* Days from the reference time to the event next to it, and its slopes by the elements. */
static double event_slopes(const quantity_kind *kind, const double elements[N_ELEMENTS],
                           double slope[N_ELEMENTS])
{
    const double step = 1e-6;
    const star_values unknown = {NAN, NAN};
    double period = elements[ELEMENT_PERIOD];
    for (size_t i = 0; i < N_ELEMENTS; i++) {
        double moved[N_ELEMENTS], own = i == ELEMENT_PERIOD ? step * period : step;
        memcpy(moved, elements, sizeof moved);
        /* From zero upwards: there are no smaller eccentricities. */
        double below = i == ELEMENT_ECCENTRICITY && elements[i] < own ? 0.0 : own;
        moved[i] = elements[i] + own;
        keplerian_orbit high = quantities_orbit(moved, unknown);
        moved[i] = elements[i] - below;
        keplerian_orbit low = quantities_orbit(moved, unknown);
        double change = kind->formula(&high) - kind->formula(&low);
        slope[i] = (change - period * floor(change / period + 0.5)) / (own + below);
    }
    keplerian_orbit orbit = quantities_orbit(elements, unknown);
    return kind->formula(&orbit);
}

equant_status equant_fit_predict(const equant_fit *fit, size_t index, const char *event,
                                 int64_t number, double *time_days, double *time_days_err)
{
    const quantity_kind *kind = event ? quantity_catalogue_find(event) : NULL;
    if (!fit || index >= fit->n_planets || !time_days || !kind || !kind->is_event)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "events are t_conj, t_sup and t_peri of a planet of the fit");
    size_t n = fit->n_parameters, first = N_ELEMENTS * index;
    double slope[N_ELEMENTS], variance = 0.0, turns = (double)number;
    const double *elements = fit->parameters + first;
    double days = event_slopes(kind, elements, slope);
    slope[ELEMENT_PERIOD] += turns;
    for (size_t i = 0; i < N_ELEMENTS; i++)
        for (size_t j = 0; j < N_ELEMENTS; j++)
            variance += slope[i] * slope[j] * fit->covariance[(first + i) * n + first + j];
    *time_days = fit->summary.reference_time_days + days + turns * elements[ELEMENT_PERIOD];
    if (time_days_err)
        *time_days_err = sqrt(fmax(variance, 0.0));
    return EQUANT_SUCCESS;
}

size_t equant_fit_n_planets(const equant_fit *fit)
{
    return fit ? fit->n_planets : 0;
}

/* Writes as much of a planet as the caller's struct holds. */
static equant_status give_planet(const equant_planet *planet, equant_planet *out)
{
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t size = out->struct_size, known = size < sizeof *planet ? size : sizeof *planet;
    memcpy(out, planet, known);
    out->struct_size = size;
    return EQUANT_SUCCESS;
}

equant_status equant_fit_planet(const equant_fit *fit, size_t index, equant_planet *planet)
{
    if (!fit || !planet || index >= fit->n_planets)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the fit has no planet %zu", index);
    return give_planet(&fit->planets[index], planet);
}

equant_status equant_fit_candidate(const equant_fit *fit, equant_planet *planet)
{
    if (!fit || !planet)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a candidate needs a fit and a place to put it");
    if (!fit->has_candidate)
        return status_fail(EQUANT_ERROR_UNAVAILABLE, "no candidate was refused");
    return give_planet(&fit->candidate, planet);
}

const char *equant_fit_refusal(const equant_fit *fit)
{
    return fit ? fit->refusal : "";
}

size_t equant_fit_n_quantities(const equant_fit *fit)
{
    return fit ? fit->quantities.n : 0;
}

equant_status equant_fit_quantity(const equant_fit *fit, size_t index, equant_fitted_quantity *out)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return fit_quantities_give(&fit->quantities, index, out);
}

size_t equant_fit_n_candidate_quantities(const equant_fit *fit)
{
    return fit ? fit->candidate_quantities.n : 0;
}

equant_status equant_fit_candidate_quantity(const equant_fit *fit, size_t index,
                                            equant_fitted_quantity *out)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return fit_quantities_give(&fit->candidate_quantities, index, out);
}

/* Writes as much of a row as the caller's struct holds; that begins with its size, as rows do. */
static equant_status give_row(const char *what, const void *rows, size_t row_size, size_t n,
                              size_t index, void *out)
{
    size_t size;
    if (!out || index >= n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the fit has %zu %s, so none is number %zu", n, what, index);
    memcpy(&size, out, sizeof size);
    if (size < sizeof size)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "struct_size must say how large the struct is");
    memcpy(out, (const char *)rows + index * row_size, size < row_size ? size : row_size);
    memcpy(out, &size, sizeof size);
    return EQUANT_SUCCESS;
}

size_t equant_fit_n_aliases(const equant_fit *fit, size_t planet)
{
    if (!fit)
        return 0;
    return planet < fit->n_planets ? fit->families[planet].n : 0;
}

equant_status equant_fit_alias(const equant_fit *fit, size_t planet, size_t index,
                               equant_alias *alias)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    equant_alias given = {.struct_size = 0};
    size_t n = equant_fit_n_aliases(fit, planet);
    if (index < n) {
        const alias_member *own = &fit->families[planet].members[index];
        given.period_days = own->period_days;
        given.probability = own->probability;
        given.delta_lnl = own->log_likelihood - fit->families[planet].members[0].log_likelihood;
        given.overlap = own->overlap;
    }
    return give_row("periods of this planet", &given, sizeof given, n > index ? 1 : n,
                    n > index ? 0 : index, alias);
}

size_t equant_fit_n_alias_pairs(const equant_fit *fit)
{
    return fit ? fit->n_pairs : 0;
}

equant_status equant_fit_alias_pair(const equant_fit *fit, size_t index, equant_alias_pair *pair)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return give_row("pairs of aliases", fit->pairs, sizeof *fit->pairs, fit->n_pairs, index, pair);
}

size_t equant_fit_max_planets(const equant_fit *fit)
{
    return fit ? fit->max_planets : 0;
}

double equant_fit_number_probability(const equant_fit *fit, size_t n)
{
    if (!fit)
        return NAN;
    return n <= fit->max_planets ? fit->numbers[n] : NAN;
}

const char *equant_fit_probabilities(const equant_fit *fit)
{
    if (!fit || isnan(fit->numbers[0]))
        return "none";
    return fit->is_sampled ? "full" : "quick";
}

const equant_model *equant_fit_model(const equant_fit *fit)
{
    return fit ? fit->model : NULL;
}

const double *equant_fit_parameters(const equant_fit *fit)
{
    return fit ? fit->parameters : NULL;
}

const double *equant_fit_covariance(const equant_fit *fit)
{
    return fit ? fit->covariance : NULL;
}

const double *equant_fit_velocities_m_s(const equant_fit *fit)
{
    return fit ? fit->velocities_m_s : NULL;
}

const double *equant_fit_residuals_m_s(const equant_fit *fit)
{
    return fit ? fit->residuals_m_s : NULL;
}

equant_trend equant_fit_trend(const equant_fit *fit)
{
    return fit ? trend_order_name(fit->trend_order) : EQUANT_TREND_DEFAULT;
}

equant_status equant_fit_summarize(const equant_fit *fit, equant_fit_summary *summary)
{
    if (!fit || !summary)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a summary needs a fit and a place to put it");
    equant_status status = OPTIONS_CHECK(summary);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t size = summary->struct_size;
    memcpy(summary, &fit->summary, size < sizeof *summary ? size : sizeof *summary);
    summary->struct_size = size;
    return EQUANT_SUCCESS;
}

size_t equant_fit_n_noise_parameters(const equant_fit *fit)
{
    return fit ? fit->noise.n_parameters : 0;
}

equant_status equant_fit_noise_parameter(const equant_fit *fit, size_t index,
                                         equant_fitted_noise_parameter *parameter)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return give_row("parameters of noise", fit->noise.parameters, sizeof *fit->noise.parameters,
                    fit->noise.n_parameters, index, parameter);
}

size_t equant_fit_n_noise_trials(const equant_fit *fit)
{
    return fit ? fit->noise.n_trials : 0;
}

equant_status equant_fit_noise_trial(const equant_fit *fit, size_t index,
                                     equant_fitted_noise_trial *trial)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return give_row("terms of noise to choose from", fit->noise.trials, sizeof *fit->noise.trials,
                    fit->noise.n_trials, index, trial);
}

size_t equant_fit_n_series(const equant_fit *fit)
{
    return fit ? fit->noise.n_series : 0;
}

equant_status equant_fit_series(const equant_fit *fit, size_t index, equant_fitted_series *series)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return give_row("indicators that are series", fit->noise.series, sizeof *fit->noise.series,
                    fit->noise.n_series, index, series);
}

double equant_fit_lead_days(const equant_fit *fit, double *err)
{
    if (!fit)
        return NAN;
    if (err)
        *err = fit->noise.lead_days_err;
    return fit->noise.lead_days;
}

size_t equant_fit_n_indicators(const equant_fit *fit)
{
    return fit ? fit->noise.n_indicators : 0;
}

equant_status equant_fit_indicator(const equant_fit *fit, size_t index,
                                   equant_fitted_indicator *indicator)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return give_row("indicators", fit->noise.indicators, sizeof *fit->noise.indicators,
                    fit->noise.n_indicators, index, indicator);
}

size_t equant_fit_n_indicator_trials(const equant_fit *fit)
{
    return fit ? fit->noise.n_indicator_trials : 0;
}

equant_status equant_fit_indicator_trial(const equant_fit *fit, size_t index,
                                         equant_fitted_indicator_trial *trial)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return give_row("indicators to choose from", fit->noise.indicator_trials,
                    sizeof *fit->noise.indicator_trials, fit->noise.n_indicator_trials, index,
                    trial);
}

size_t equant_fit_n_outliers(const equant_fit *fit)
{
    return fit ? fit->outliers.n : 0;
}

equant_status equant_fit_outlier(const equant_fit *fit, size_t index, equant_fitted_outlier *made)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no fit");
    return give_row("outliers", fit->outliers.outliers, sizeof *fit->outliers.outliers,
                    fit->outliers.n, index, made);
}

const double *equant_fit_uncertainties_m_s(const equant_fit *fit)
{
    return fit ? fit->outliers.uncertainties_m_s : NULL;
}

size_t equant_fit_n_remarks(const equant_fit *fit)
{
    return fit ? fit->noise.remarks.n : 0;
}

const char *equant_fit_remark(const equant_fit *fit, size_t index)
{
    if (!fit)
        return NULL;
    return index < fit->noise.remarks.n ? fit->noise.remarks.texts[index] : NULL;
}

const double *equant_fit_noise_m_s(const equant_fit *fit)
{
    return fit ? fit->noise.process_m_s : NULL;
}
