#include "inference/record/stored_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/dataset.h"
#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/priors/parameter_state.h"
#include "inference/record/record_files.h"
#include "inference/record/stored_noise.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static equant_status refuse(const char *path, const char *what)
{
    return status_fail(EQUANT_ERROR_FORMAT, "%s: this is not what a fit leaves: %s", path, what);
}

/* ---- planets --------------------------------------------------------------------------------- */

static equant_planet planet_of(const document_planet *own, const quantity_estimate *estimates)
{
    equant_planet made = fit_quantities_planet(estimates);
    made.false_alarm = own->false_alarm;
    made.log_likelihood_gain = own->log_likelihood_gain;
    made.delta_bic = own->delta_bic;
    made.probability = own->probability;
    made.false_inclusion = own->false_inclusion;
    made.k_m_s_low = own->k_m_s_low;
    /* JSON has no infinity. */
    made.k_m_s_high = isnan(own->k_m_s_high) && !isnan(own->k_m_s_low) ? INFINITY : own->k_m_s_high;
    made.eccentricity_low = own->eccentricity_low;
    made.eccentricity_high = own->eccentricity_high;
    made.period_days_bound = own->period_days_bound;
    for (int limit = EQUANT_LIMIT_SHORTEST; limit < N_FIT_DOCUMENT_LIMITS && own->at_limit; limit++)
        if (strcmp(own->at_limit, fit_document_limits[limit]) == 0)
            made.at_limit = (equant_limit)limit;
    return made;
}

static void take_estimates(const document_planet *own, quantity_estimate *estimates)
{
    for (size_t k = 0; k < QUANTITY_CATALOGUE_MOST; k++)
        estimates[k] = (quantity_estimate){own->quantities.values[k], own->quantities.errors[k]};
}

static void take_aliases(const document_planet *own, alias_family *family)
{
    const document_alias *aliases = own->aliases.rows;
    for (size_t i = 0; i < own->aliases.n && i < COUNT(family->members); i++)
        family->members[family->n++] = (alias_member){.period_days = aliases[i].period_days,
                                                      .probability = aliases[i].probability,
                                                      .log_likelihood = aliases[i].delta_lnl,
                                                      .overlap = aliases[i].overlap};
}

static equant_status take_planets(const char *path, const fit_document *document, equant_fit *fit)
{
    const document_planet *planets = document->planets.rows;
    size_t n = document->planets.n;
    if (n > STUDY_MAX_PLANETS)
        return refuse(path, "there are too many planets");
    fit->planets = calloc(n + 1, sizeof *fit->planets);
    fit->families = calloc(n + 1, sizeof *fit->families);
    if (!fit->planets || !fit->families)
        return status_out_of_memory();
    fit->n_planets = n;
    for (size_t p = 0; p < n; p++) {
        bool has_letter = planets[p].letter && planets[p].letter[0];
        fit->letters[p] = has_letter ? planets[p].letter[0] : (char)(STATE_FIRST_LETTER + (int)p);
        fit->has_letters = fit->has_letters || has_letter;
        fit->masses_jupiter[p][0] = planets[p].m_jupiter;
        fit->masses_jupiter[p][1] = planets[p].m_jupiter_err;
        take_aliases(&planets[p], &fit->families[p]);
    }
    return EQUANT_SUCCESS;
}

static void take_refusal(const document_refusal *own, equant_fit *fit)
{
    if (!own || !own->condition)
        return;
    for (int because = EQUANT_REFUSED_NOT; because <= EQUANT_REFUSED_CYCLE; because++)
        if (strcmp(own->condition, equant_refusal_name((equant_refusal)because)) == 0)
            fit->candidate.refused_because = (equant_refusal)because;
    snprintf(fit->refusal, sizeof fit->refusal, "%s", own->sentence ? own->sentence : "");
}

/* Which quantities there are depends on what is known of the star: files have the others as null.
 */
static host_star star_of(const document_planet *planet)
{
    static const struct {
        star_property property;
        const char *quantity;
    } signs[] = {{STAR_MASS, "m_sin_i_jupiter"}, {STAR_LUMINOSITY, "insolation_earth"}};
    host_star star = {.value = {0.0}};
    for (size_t i = 0; i < COUNT(signs); i++) {
        size_t kind = quantity_catalogue_index(quantity_catalogue_find(signs[i].quantity));
        star.value[signs[i].property] = isnan(planet->quantities.values[kind]) ? 0.0 : 1.0;
    }
    return star;
}

static equant_status take_candidate(const fit_document *document, equant_fit *fit)
{
    quantity_estimate estimates[1][QUANTITIES_MOST] = {{{0.0, 0.0}}};
    const document_planet *own = document->candidate;
    if (!own)
        return EQUANT_SUCCESS;
    const fit_quantities_source source = {
        .shape = {parameter_layout_of((parameter_shape){.n_planets = 1}), star_of(own), true},
        .planets = estimates};
    take_estimates(own, estimates[0]);
    fit->has_candidate = true;
    fit->candidate = planet_of(own, estimates[0]);
    take_refusal(own->refusal, fit);
    return fit_quantities_create(&source, &fit->candidate_quantities);
}

static equant_status take_pairs(const char *path, const fit_document *document, equant_fit *fit)
{
    const document_pair *pairs = document->pairs.rows;
    for (size_t i = 0; i < document->pairs.n && i < COUNT(fit->pairs); i++) {
        const size_t *planets = pairs[i].planets.rows;
        const double *period_days = pairs[i].period_days.rows;
        if (pairs[i].planets.n != 2 || pairs[i].period_days.n != 2 ||
            planets[0] >= fit->n_planets || planets[1] >= fit->n_planets)
            return refuse(path, "alias_pairs are of two planets");
        fit->pairs[fit->n_pairs++] = (equant_alias_pair){.first = planets[0],
                                                         .second = planets[1],
                                                         .first_period_days = period_days[0],
                                                         .second_period_days = period_days[1],
                                                         .probability = pairs[i].probability,
                                                         .delta_lnl = pairs[i].delta_lnl};
    }
    return EQUANT_SUCCESS;
}

static equant_status take_rivals(const char *path, const fit_document *document, equant_fit *fit)
{
    const document_rival *rivals = document->rivals.rows;
    for (size_t i = 0; i < document->rivals.n && i < COUNT(fit->rivals.list); i++) {
        planet_rival *own = &fit->rivals.list[fit->rivals.n++];
        const double *periods = rivals[i].planets_days.rows;
        if (rivals[i].planets_days.n > STUDY_MAX_PLANETS || rivals[i].trend_order > 2)
            return refuse(path, "a model of its trace has too many planets, or too high a trend");
        *own = (planet_rival){.period_days = rivals[i].period_days,
                              .is_of_candidate = rivals[i].is_of_candidate > 0,
                              .n_planets = rivals[i].planets_days.n,
                              .trend_order = (int)rivals[i].trend_order,
                              .n_outliers = rivals[i].n_outliers,
                              .delta_lnl = rivals[i].delta_lnl,
                              .delta_score = rivals[i].delta_score};
        for (size_t p = 0; p < own->n_planets; p++)
            own->planets_days[p] = periods[p];
        snprintf(own->noise, sizeof own->noise, "%s", rivals[i].noise ? rivals[i].noise : "");
        snprintf(own->sentence, sizeof own->sentence, "%s",
                 rivals[i].sentence ? rivals[i].sentence : "");
    }
    return EQUANT_SUCCESS;
}

/* ---- probabilities and summary --------------------------------------------------------------- */

static void take_numbers(const fit_document *document, equant_fit *fit)
{
    const document_number *numbers = document->numbers.rows;
    size_t n =
        document->numbers.n < COUNT(fit->numbers) ? document->numbers.n : COUNT(fit->numbers);
    fit->numbers[0] = NAN;
    fit->max_planets = n > 0 ? n - 1 : 0;
    for (size_t i = 0; i < n; i++)
        fit->numbers[i] = numbers[i].probability;
    fit->is_sampled = document->probabilities && strcmp(document->probabilities, "full") == 0;
    fit->chains_agree = document->chains_agree > 0;
}

static void take_summary(const fit_document *document, equant_fit *fit)
{
    fit->summary = (equant_fit_summary){
        .struct_size = sizeof fit->summary,
        .n_obs = document->n_obs,
        /* Older files call it so. */
        .n_fitted = document->n_fitted > 0 ? document->n_fitted : document->n_parameters,
        .chi_square = document->chi_square,
        .log_likelihood = document->log_likelihood,
        .bic = document->bic,
        .rms_m_s = document->rms_m_s,
        .reference_time_days = document->reference_time_days,
        .log_likelihood_without_planets = document->log_likelihood_without_planets,
        .bic_without_planets = document->bic_without_planets,
        .period_min_days = document->period_min_days,
        .period_max_days = document->period_max_days};
    for (int end = 0; end < N_FIT_DOCUMENT_ENDS && document->end; end++)
        if (strcmp(document->end, fit_document_ends[end]) == 0)
            fit->summary.end = (equant_fit_end)end;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* "mep@0" of the first instrument, behind what is there; false where there is no such instrument.
 */
static bool append_term(const document_term *term, const fit_document *document, size_t size,
                        char *text)
{
    const document_instrument *instruments = document->instruments.rows;
    size_t n = strlen(text), owner = 0;
    n += (size_t)snprintf(text + n, size - n, "%s%.*s", n > 0 ? "," : "", NOISE_MENU_NAME_SIZE,
                          term->name);
    while (term->instrument && owner < document->instruments.n &&
           strcmp(instruments[owner].name, term->instrument) != 0)
        owner++;
    if (term->instrument && n < size)
        n += (size_t)snprintf(text + n, size - n, "@%zu", owner);
    return n < size && (!term->instrument || owner < document->instruments.n);
}

static equant_status make_model(const char *path, const fit_document *document, equant_fit *fit)
{
    enum { SIZE = NOISE_KINDS_TEXT_SIZE };
    char noise[SIZE] = "";
    const record_list none = {0}, *terms = document->noise ? &document->noise->terms : &none;
    for (size_t i = 0; i < terms->n; i++)
        if (!append_term((const document_term *)terms->rows + i, document, SIZE, noise))
            return refuse(path, "its noise is that of other instruments");
    fit->trend_order = !document->trend ? 0 : isnan(document->trend->quadratic) ? 1 : 2;
    const equant_model_options options = {.struct_size = sizeof options,
                                          .n_planets = fit->n_planets,
                                          .n_instruments = document->instruments.n,
                                          .trend = trend_order_name(fit->trend_order),
                                          .offset_columns = EQUANT_NUISANCE_GIVEN,
                                          .trend_columns = EQUANT_NUISANCE_GIVEN,
                                          .with_jitter = 1,
                                          .noise = noise[0] ? noise : NULL};
    return equant_model_create(&options, &fit->model);
}

/* Texts that everything below compares: a file that lacks one of them is no record. */
static bool has_names(const fit_document *document)
{
    const document_instrument *instruments = document->instruments.rows;
    bool is_good = document->instruments.n > 0;
    for (size_t i = 0; i < document->instruments.n && is_good; i++)
        is_good = instruments[i].name != NULL;
    for (size_t i = 0; document->noise && i < document->noise->terms.n && is_good; i++)
        is_good = ((const document_term *)document->noise->terms.rows)[i].name != NULL;
    return is_good;
}

equant_status stored_fit_begin(const char *path, const fit_document *document, equant_fit *fit)
{
    if (!has_names(document))
        return refuse(path, "it names no instruments, or noise without a name");
    take_summary(document, fit);
    equant_status status = take_planets(path, document, fit);
    if (status == EQUANT_SUCCESS)
        status = take_candidate(document, fit);
    if (status == EQUANT_SUCCESS)
        status = take_pairs(path, document, fit);
    if (status == EQUANT_SUCCESS)
        status = take_rivals(path, document, fit);
    take_numbers(document, fit);
    return status == EQUANT_SUCCESS ? make_model(path, document, fit) : status;
}

/* ---- outliers -------------------------------------------------------------------------------- */

static size_t n_outlier_rows(const fit_document *document)
{
    const document_outlier *outliers = document->outliers.rows;
    size_t n = 0;
    for (size_t i = 0; i < document->outliers.n; i++)
        n += outliers[i].rows.n;
    return n;
}

static equant_status take_outlier(const char *path, const document_outlier *own,
                                  const equant_dataset *dataset, size_t *rows, fit_outliers *made)
{
    equant_fitted_outlier *row = &made->outliers[made->n];
    if (own->rows.n == 0)
        return refuse(path, "an outlier has no rows");
    for (size_t i = 0; i < own->rows.n; i++) {
        rows[i] = ((const size_t *)own->rows.rows)[i];
        if (rows[i] >= equant_dataset_n_obs(dataset))
            return refuse(path, "an outlier has rows that the data do not have");
        double *sigma = &made->uncertainties_m_s[rows[i]];
        *sigma = hypot(*sigma, own->widening_m_s);
    }
    *row =
        (equant_fitted_outlier){.struct_size = sizeof *row,
                                .n_rows = own->rows.n,
                                .rows = rows,
                                .instrument = (size_t)equant_dataset_instruments(dataset)[rows[0]],
                                .is_night = own->unit && strcmp(own->unit, "night") == 0,
                                .time_days = own->time_days,
                                .deviation_m_s = own->deviation_m_s,
                                .expected_m_s = own->expected_m_s,
                                .widening_m_s = own->widening_m_s};
    made->n++;
    return EQUANT_SUCCESS;
}

static equant_status take_outliers(const char *path, const fit_document *document,
                                   const equant_dataset *dataset, fit_outliers *made)
{
    const document_outlier *outliers = document->outliers.rows;
    size_t n = equant_dataset_n_obs(dataset), n_rows = 0;
    made->uncertainties_m_s = malloc(n * sizeof *made->uncertainties_m_s);
    made->outliers = calloc(document->outliers.n + 1, sizeof *made->outliers);
    made->rows = calloc(n_outlier_rows(document) + 1, sizeof *made->rows);
    if (!made->uncertainties_m_s || !made->outliers || !made->rows)
        return status_out_of_memory();
    memcpy(made->uncertainties_m_s, equant_dataset_uncertainties_m_s(dataset),
           n * sizeof *made->uncertainties_m_s);
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < document->outliers.n && status == EQUANT_SUCCESS; i++) {
        status = take_outlier(path, &outliers[i], dataset, made->rows + n_rows, made);
        n_rows += outliers[i].rows.n;
    }
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Files have angles in degrees, to which several numbers may be rounded: that of the parameter set
 * is the one, where it is among them. */
static void take_angles(const equant_fit *fit, size_t planet, quantity_estimate *estimates)
{
    for (size_t i = 0; i < N_ELEMENTS; i++) {
        double factor = quantity_catalogue_at(i)->info.shown_factor;
        size_t column = N_ELEMENTS * planet + i;
        double value = fit->parameters[column],
               error = sqrt(fit->covariance[column * (fit->n_parameters + 1)]);
        if (value * factor == estimates[i].value * factor)
            estimates[i].value = value;
        if (error * factor == estimates[i].error * factor)
            estimates[i].error = error;
    }
}

static equant_status take_quantities(const fit_document *document, equant_fit *fit)
{
    static const document_planet unknown;
    quantity_estimate estimates[STUDY_MAX_PLANETS][QUANTITIES_MOST] = {{{0.0, 0.0}}};
    const document_planet *planets = document->planets.rows;
    const fit_quantities_source source = {
        .shape = {fit->model->layout, star_of(fit->n_planets > 0 ? planets : &unknown), true},
        .planets = estimates,
        .parameters = fit->parameters,
        .covariance = fit->covariance};
    for (size_t p = 0; p < fit->n_planets; p++) {
        take_estimates(&planets[p], estimates[p]);
        take_angles(fit, p, estimates[p]);
        fit->planets[p] = planet_of(&planets[p], estimates[p]);
    }
    return fit_quantities_create(&source, &fit->quantities);
}

equant_status stored_fit_finish(const char *path, const fit_document *document,
                                const equant_dataset *dataset, equant_fit *fit)
{
    equant_status status = take_quantities(document, fit);
    if (status == EQUANT_SUCCESS)
        status = stored_noise_take(path, document->noise, dataset, &fit->noise);
    return status == EQUANT_SUCCESS ? take_outliers(path, document, dataset, &fit->outliers)
                                    : status;
}

/* ---- whether it is one fit ------------------------------------------------------------------- */

/* The data as the fit believes them: outliers have wider errors, and what indicators explain is
 * taken off the velocities. */
static equant_status believed_data(const equant_dataset *dataset, const equant_fit *fit,
                                   equant_dataset **made)
{
    size_t n = equant_dataset_n_obs(dataset);
    double *column = calloc(n, sizeof *column);
    if (!column)
        return status_out_of_memory();
    equant_status status =
        equant_dataset_with_uncertainties(dataset, fit->outliers.uncertainties_m_s, made);
    for (size_t i = 0; i < fit->noise.n_indicators && status == EQUANT_SUCCESS; i++) {
        const equant_fitted_indicator *own = &fit->noise.indicators[i];
        status = equant_fit_indicator_column(dataset, own, column);
        for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++)
            (*made)->velocity_m_s[k] -= own->slope_m_s * column[k];
    }
    free(column);
    return status;
}

static equant_status evaluate(const equant_dataset *dataset, const equant_fit *fit,
                              equant_results *results)
{
    equant_dataset *believed = NULL;
    equant_evaluator *evaluator = NULL;
    equant_status status = believed_data(dataset, fit, &believed);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(believed, fit->model, NULL, &evaluator);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, 1, fit->parameters, results);
    equant_evaluator_free(evaluator);
    equant_dataset_free(believed);
    return status;
}

equant_status stored_fit_check(const char *folder, const equant_dataset *dataset,
                               const equant_fit *fit)
{
    const double rounding = 1e-6;
    double chi_square, log_likelihood;
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = &chi_square,
                              .log_likelihood = &log_likelihood};
    bool is_white = fit->noise.n_parameters == 0 && fit->noise.n_indicators == 0;
    if (fit->noise.n_series > 0)
        return EQUANT_SUCCESS; /* its likelihood is also that of the indicators */
    equant_status status = evaluate(dataset, fit, &results);
    if (status != EQUANT_SUCCESS)
        return status;
    double there = is_white ? chi_square : log_likelihood,
           kept = is_white ? fit->summary.chi_square : fit->summary.log_likelihood;
    if (fabs(there - kept) <= rounding * fmax(fabs(kept), 1.0))
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: %s is %.8g with these data, and %.8g in %s: the two are not of one fit",
                       folder, is_white ? "chi-square" : "ln L", there, kept,
                       record_files_name(RECORD_FILE_FIT));
}
