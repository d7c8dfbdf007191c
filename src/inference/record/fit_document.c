#include "inference/record/fit_document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"

/* What a document is made of. */
typedef struct document_source {
    const equant_fit *fit;
    const equant_dataset *dataset;
    document_texts *texts;
} document_source;

/* ---- texts ----------------------------------------------------------------------------------- */

const char *document_texts_keep(document_texts *texts, const char *text, size_t n)
{
    char **place = texts->is_out_of_memory ? NULL : record_list_add(&texts->kept, sizeof(char *));
    if (place)
        *place = strndup(text, n);
    texts->is_out_of_memory |= !place || !*place;
    return place && *place ? *place : "";
}

void document_texts_free(document_texts *texts)
{
    for (size_t i = 0; i < texts->kept.n; i++)
        free(((char **)texts->kept.rows)[i]);
    free(texts->kept.rows);
    *texts = (document_texts){.is_out_of_memory = false};
}

const char *const fit_document_limits[N_FIT_DOCUMENT_LIMITS] = {
    [EQUANT_LIMIT_SHORTEST] = "shortest", [EQUANT_LIMIT_LONGEST] = "longest"};
const char *const fit_document_ends[N_FIT_DOCUMENT_ENDS] = {[EQUANT_FIT_FINISHED] = "finished",
                                                            [EQUANT_FIT_SECONDS] = "seconds",
                                                            [EQUANT_FIT_CANCELLED] = "cancelled"};

/* ---- lists ----------------------------------------------------------------------------------- */

/* A row more; where there is no memory, one that is written to and forgotten. */
static void *add(const document_source *source, record_list *list, size_t row_size)
{
    static _Thread_local union {
        document_planet planet;
        document_instrument instrument;
    } spare;
    void *row = source->texts->is_out_of_memory ? NULL : record_list_add(list, row_size);
    source->texts->is_out_of_memory |= !row;
    return row ? row : memset(&spare, 0, sizeof spare);
}
#define ADD(list, type) ((type *)add(source, list, sizeof(type)))

static void *make(const document_source *source, size_t size)
{
    record_list one = {0};
    return source->texts->is_out_of_memory ? NULL : record_list_add(&one, size);
}

static const char *instrument_name(const document_source *source, size_t instrument)
{
    return equant_dataset_instrument_name(source->dataset, instrument);
}

static const char *indicator_name(const document_source *source, size_t indicator)
{
    const equant_indicator *own = equant_dataset_indicator(source->dataset, indicator);
    return own ? own->name : "";
}

/* ---- planets --------------------------------------------------------------------------------- */

static void add_aliases(const document_source *source, size_t planet, document_planet *made)
{
    for (size_t i = 0; i < equant_fit_n_aliases(source->fit, planet); i++) {
        equant_alias own = {.struct_size = sizeof own};
        if (equant_fit_alias(source->fit, planet, i, &own) != EQUANT_SUCCESS)
            continue;
        /* What two periods share cannot tell them apart. */
        double apart = made->log_likelihood_gain * (1.0 - own.overlap);
        *ADD(&made->aliases, document_alias) =
            (document_alias){.period_days = own.period_days,
                             .probability = own.probability,
                             .delta_lnl = own.delta_lnl,
                             .overlap = own.overlap,
                             .expected_separation = apart,
                             .expected_separation_err = sqrt(2.0 * fmax(apart, 0.0))};
    }
}

static void take_quantities(const fit_quantities *known, size_t planet, record_quantities *made)
{
    for (size_t i = 0; i < known->n; i++) {
        const fit_quantity *row = &known->rows[i];
        size_t kind = quantity_catalogue_index(row->what.entry.kind);
        if (row->what.planet == planet && kind < QUANTITY_CATALOGUE_MOST) {
            made->values[kind] = row->estimate.value;
            made->errors[kind] = row->estimate.error;
        }
    }
}

static void judge(const equant_planet *known, document_planet *made)
{
    made->false_alarm = known->false_alarm;
    made->log_likelihood_gain = known->log_likelihood_gain;
    made->delta_bic = known->delta_bic;
    made->probability = known->probability;
    made->false_inclusion = known->false_inclusion;
    made->k_m_s_low = known->k_m_s_low;
    made->k_m_s_high = known->k_m_s_high;
    made->eccentricity_low = known->eccentricity_low;
    made->eccentricity_high = known->eccentricity_high;
    made->period_days_bound = known->period_days_bound;
    made->at_limit = fit_document_limits[known->at_limit];
}

static void add_planet(const document_source *source, size_t index, double threshold,
                       document_planet *made)
{
    const equant_fit *fit = source->fit;
    record_row_clear(&fit_fields_planet, made);
    take_quantities(&fit->quantities, index + 1, &made->quantities);
    judge(&fit->planets[index], made);
    made->m_jupiter = equant_fit_mass_jupiter(fit, index, &made->m_jupiter_err);
    add_aliases(source, index, made);
    if (fit->has_letters)
        made->letter = document_texts_keep(source->texts, &fit->letters[index], 1);
    made->is_candidate = made->probability < threshold;
}

static void add_candidate(const document_source *source, fit_document *made)
{
    const equant_fit *fit = source->fit;
    if (!fit->has_candidate)
        return;
    document_planet *own = made->candidate = make(source, sizeof *own);
    if (!own) {
        source->texts->is_out_of_memory = true;
        return;
    }
    record_row_clear(&fit_fields_planet, own);
    take_quantities(&fit->candidate_quantities, 1, &own->quantities);
    judge(&fit->candidate, own);
    own->refusal = make(source, sizeof *own->refusal);
    source->texts->is_out_of_memory |= !own->refusal;
    if (own->refusal)
        *own->refusal =
            (document_refusal){equant_refusal_name(fit->candidate.refused_because), fit->refusal};
}

/* ---- numbers of planets and models ----------------------------------------------------------- */

static void add_numbers(const document_source *source, fit_document *made)
{
    const equant_fit *fit = source->fit;
    for (size_t n = 0; n <= fit->max_planets && !isnan(fit->numbers[0]); n++)
        *ADD(&made->numbers, document_number) =
            (document_number){n, equant_fit_number_probability(fit, n)};
    made->probabilities = equant_fit_probabilities(fit);
    made->chains_agree = fit->is_sampled ? fit->chains_agree : -1;
}

static void add_pairs(const document_source *source, fit_document *made)
{
    for (size_t i = 0; i < source->fit->n_pairs; i++) {
        const equant_alias_pair *own = &source->fit->pairs[i];
        document_pair *pair = ADD(&made->pairs, document_pair);
        pair->probability = own->probability;
        pair->delta_lnl = own->delta_lnl;
        *ADD(&pair->planets, size_t) = own->first;
        *ADD(&pair->planets, size_t) = own->second;
        *ADD(&pair->period_days, double) = own->first_period_days;
        *ADD(&pair->period_days, double) = own->second_period_days;
    }
}

static void add_models(const document_source *source, fit_document *made)
{
    const equant_fit *fit = source->fit;
    for (size_t i = 0; i < equant_fit_n_neighbours(fit); i++) {
        equant_fitted_neighbour own = {.struct_size = sizeof own};
        (void)equant_fit_neighbour(fit, i, &own);
        *ADD(&made->models, document_model) = (document_model){
            .n_planets = own.n_planets,
            .without_period_days =
                own.without > 0 ? fit->planets[own.without - 1].period_days : NAN,
            .with_period_days = own.with_candidate ? fit->candidate.period_days : NAN,
            .log_likelihood = own.log_likelihood,
            .bic = own.bic,
            .delta_lnz = own.delta_log_evidence};
    }
}

static void add_rivals(const document_source *source, fit_document *made)
{
    const planet_rivals *rivals = &source->fit->rivals;
    for (size_t i = 0; i < rivals->n; i++) {
        const planet_rival *own = &rivals->list[i];
        document_rival *row = ADD(&made->rivals, document_rival);
        *row = (document_rival){.period_days = own->period_days,
                                .is_of_candidate = own->is_of_candidate,
                                .noise = own->noise,
                                .n_outliers = own->n_outliers,
                                .trend_order = (size_t)own->trend_order,
                                .delta_lnl = own->delta_lnl,
                                .delta_score = own->delta_score,
                                .sentence = own->sentence};
        for (size_t p = 0; p < own->n_planets; p++)
            *ADD(&row->planets_days, double) = own->planets_days[p];
    }
}

/* ---- instruments and trend ------------------------------------------------------------------- */

/* Value and error of a column of the model; false where it has none of that name. */
static bool find_parameter(const equant_fit *fit, const char *name, double *value, double *error)
{
    size_t n = fit->n_parameters;
    for (size_t i = 0; i < n; i++)
        if (strcmp(fit->model->names[i], name) == 0) {
            *value = fit->parameters[i];
            *error = sqrt(fit->covariance[i * n + i]);
            return true;
        }
    return false;
}

static void add_instrument(const document_source *source, size_t index, document_instrument *made)
{
    made->name = instrument_name(source, index);
    made->n_obs = equant_dataset_instrument_n_obs(source->dataset, index);
    for (size_t k = 0; k < quantity_catalogue_n(); k++) {
        char name[RECORD_KEY_SIZE];
        snprintf(name, sizeof name, "%s_%zu", quantity_catalogue_at(k)->info.name, index + 1);
        made->quantities.values[k] = made->quantities.errors[k] = 0.0;
        if (record_kind_has(RECORD_INSTRUMENT_QUANTITIES, quantity_catalogue_at(k)))
            find_parameter(source->fit, name, &made->quantities.values[k],
                           &made->quantities.errors[k]);
    }
}

static void add_trend(const document_source *source, fit_document *made)
{
    document_trend own = {NAN, NAN, NAN, NAN};
    if (!find_parameter(source->fit, "trend_m_s_day", &own.linear, &own.linear_err))
        return;
    find_parameter(source->fit, "trend_m_s_day2", &own.quadratic, &own.quadratic_err);
    made->trend = make(source, sizeof own);
    source->texts->is_out_of_memory |= !made->trend;
    if (made->trend)
        *made->trend = own;
}

/* ---- noise ----------------------------------------------------------------------------------- */

/* "mep@HARPS" is the term mep of an instrument. */
static void split_term(const document_source *source, const char *term, const char **name,
                       const char **instrument)
{
    size_t n = strcspn(term, "@");
    *name = document_texts_keep(source->texts, term, n);
    *instrument = term[n] ? term + n + 1 : NULL;
}

static void add_terms(const document_source *source, document_noise *made)
{
    const fit_noise *noise = &source->fit->noise;
    document_term *term = NULL;
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const equant_fitted_noise_parameter *own = &noise->parameters[i];
        if (i == 0 || strcmp(own->term, own[-1].term) != 0) {
            term = ADD(&made->terms, document_term);
            split_term(source, own->term, &term->name, &term->instrument);
        }
        *ADD(&term->parameters, document_parameter) =
            (document_parameter){own->name, own->value, own->err, own->unit, own->is_fixed};
    }
}

static void add_trials(const document_source *source, document_noise *made)
{
    const fit_noise *noise = &source->fit->noise;
    for (size_t i = 0; i < noise->n_trials; i++) {
        const equant_fitted_noise_trial *own = &noise->trials[i];
        document_trial *trial = ADD(&made->trials, document_trial);
        split_term(source, own->term, &trial->name, &trial->instrument);
        trial->is_chosen = own->is_chosen;
        trial->is_given = own->is_given;
        trial->log_likelihood_gain = own->log_likelihood_gain;
        trial->delta_bic = own->delta_bic;
    }
    for (size_t i = 0; i < noise->n_indicator_trials; i++) {
        const equant_fitted_indicator_trial *own = &noise->indicator_trials[i];
        *ADD(&made->indicator_trials, document_trial) =
            (document_trial){.name = indicator_name(source, own->indicator),
                             .instrument = instrument_name(source, own->instrument),
                             .smoothing_days = own->smoothing_days,
                             .is_chosen = own->is_chosen,
                             .is_given = own->is_given,
                             .log_likelihood_gain = own->log_likelihood_gain,
                             .delta_bic = own->delta_bic};
    }
}

static void add_indicators(const document_source *source, document_noise *made)
{
    const fit_noise *noise = &source->fit->noise;
    for (size_t i = 0; i < noise->n_indicators; i++) {
        const equant_fitted_indicator *own = &noise->indicators[i];
        *ADD(&made->indicators, document_indicator) =
            (document_indicator){.name = indicator_name(source, own->indicator),
                                 .instrument = instrument_name(source, own->instrument),
                                 .slope_m_s = own->slope_m_s,
                                 .slope_m_s_err = own->slope_m_s_err,
                                 .mean = own->mean,
                                 .deviation = own->deviation,
                                 .smoothing_days = own->smoothing_days};
    }
    for (size_t i = 0; i < noise->n_series; i++) {
        const equant_fitted_series *own = &noise->series[i];
        *ADD(&made->series, document_series) =
            (document_series){.name = indicator_name(source, own->indicator),
                              .instrument = instrument_name(source, own->instrument),
                              .scale = own->scale,
                              .scale_err = own->scale_err,
                              .rate = own->rate,
                              .rate_err = own->rate_err,
                              .jitter = own->jitter,
                              .jitter_err = own->jitter_err};
    }
}

/* Root mean square of the residuals less what correlated noise explains. */
static double rms_after(const equant_fit *fit, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        double rest = fit->residuals_m_s[k] - fit->noise.process_m_s[k];
        sum += rest * rest;
    }
    return sqrt(sum / (double)n);
}

static void add_noise(const document_source *source, fit_document *made)
{
    const fit_noise *noise = &source->fit->noise;
    if (noise->n_trials + noise->n_indicator_trials + noise->n_parameters + noise->n_indicators ==
        0)
        return;
    document_noise *own = made->noise = make(source, sizeof *own);
    source->texts->is_out_of_memory |= !own;
    if (!own)
        return;
    add_terms(source, own);
    add_indicators(source, own);
    add_trials(source, own);
    own->lead_days = equant_fit_lead_days(source->fit, &own->lead_days_err);
    own->rotation_days = equant_fit_rotation_days(source->fit, &own->rotation_days_err);
    own->rotation_probability = equant_fit_rotation_probability(source->fit);
    own->memory_days = equant_fit_memory_days(source->fit, &own->memory_days_err);
    own->rms_after_m_s = rms_after(source->fit, source->fit->summary.n_obs);
}

static void add_outliers(const document_source *source, fit_document *made)
{
    for (size_t i = 0; i < source->fit->outliers.n; i++) {
        const equant_fitted_outlier *own = &source->fit->outliers.outliers[i];
        document_outlier *row = ADD(&made->outliers, document_outlier);
        *row = (document_outlier){.unit = own->is_night ? "night" : "observation",
                                  .time_days = own->time_days,
                                  .instrument = instrument_name(source, own->instrument),
                                  .deviation_m_s = own->deviation_m_s,
                                  .expected_m_s = own->expected_m_s,
                                  .deviation_sigma = own->deviation_m_s / own->expected_m_s,
                                  .widening_m_s = own->widening_m_s};
        for (size_t j = 0; j < own->n_rows; j++)
            *ADD(&row->rows, size_t) = own->rows[j];
    }
}

/* ---- the fit --------------------------------------------------------------------------------- */

static void add_summary(const equant_fit *fit, fit_document *made)
{
    const equant_fit_summary *own = &fit->summary;
    made->end = fit_document_ends[own->end];
    made->n_obs = own->n_obs;
    made->n_parameters = fit->n_parameters;
    made->n_fitted = own->n_fitted;
    made->chi_square = own->chi_square;
    made->log_likelihood = own->log_likelihood;
    made->bic = own->bic;
    made->rms_m_s = own->rms_m_s;
    made->log_likelihood_without_planets = own->log_likelihood_without_planets;
    made->bic_without_planets = own->bic_without_planets;
    made->reference_time_days = own->reference_time_days;
    made->period_min_days = own->period_min_days;
    made->period_max_days = own->period_max_days;
}

#define OPTION(member) OPTION_OR_ZERO(options, equant_record_options, member)

static void add_texts(const document_source *source, const equant_record_options *options,
                      fit_document *made)
{
    const char *const *warnings = OPTION(warnings);
    size_t n = warnings ? OPTION(n_warnings) : equant_dataset_n_warnings(source->dataset);
    for (size_t i = 0; i < n; i++)
        *ADD(&made->warnings, const char *) =
            warnings ? warnings[i] : equant_dataset_warning(source->dataset, i);
    for (size_t i = 0; i < OPTION(n_hints); i++)
        *ADD(&made->hints, const char *) = options->hints[i];
}

equant_status fit_document_create(const equant_fit *fit, const equant_dataset *dataset,
                                  const equant_record_options *options, document_texts *texts,
                                  fit_document *made)
{
    const document_source own = {fit, dataset, texts}, *source = &own;
    record_row_clear(&fit_fields, made);
    made->threshold = OPTION(threshold) > 0.0 ? OPTION(threshold) : FIT_DOCUMENT_THRESHOLD;
    for (size_t i = 0; i < fit->n_planets; i++)
        add_planet(source, i, made->threshold, ADD(&made->planets, document_planet));
    add_numbers(source, made);
    add_pairs(source, made);
    add_models(source, made);
    add_rivals(source, made);
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++)
        add_instrument(source, i, ADD(&made->instruments, document_instrument));
    add_trend(source, made);
    add_noise(source, made);
    add_outliers(source, made);
    add_summary(fit, made);
    add_candidate(source, made);
    add_texts(source, options, made);
    return texts->is_out_of_memory ? status_out_of_memory() : EQUANT_SUCCESS;
}

origin_document fit_document_origin(const equant_record_options *options)
{
    const char *star_name = OPTION(star_name), *made_by = OPTION(made_by);
    host_star star = host_star_of(OPTION(star), 0.0);
    origin_document made = {.version = equant_version(),
                            .star_name = star_name ? star_name : "",
                            .command = made_by ? made_by : ""};
    for (size_t i = 0; i < N_STAR_PROPERTIES; i++) {
        made.star[i][0] = star.value[i] > 0.0 ? star.value[i] : NAN;
        made.star[i][1] = star.error[i] > 0.0 ? star.error[i] : NAN;
    }
    return made;
}
