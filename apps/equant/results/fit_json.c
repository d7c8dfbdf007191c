#include "results/fit_json.h"

#include <math.h>
#include <string.h>

#include "files/json.h"
#include "stars/star_models.h"

/* "NAME": value, "NAME_err": uncertainty. */
static void write_measured(json_writer *json, const char *name, double value, double uncertainty)
{
    char key[48];
    json_key_number(json, name, value);
    snprintf(key, sizeof key, "%s_err", name);
    json_key_number(json, key, uncertainty);
}

/* The quantities of a planet that need the mass of the star, or those that do not. */
static void write_quantities(json_writer *json, const struct star_planet *planet,
                             bool needs_star_mass)
{
    for (size_t i = 0; i < quantity_kind_n(); i++) {
        equant_quantity_info kind = quantity_kind_at(i);
        if (quantity_kind_is_of_planet(&kind) && (kind.needs_star_mass != 0) == needs_star_mass)
            write_measured(json, kind.shown_name, planet->values[i] * kind.shown_factor,
                           planet->errors[i] * kind.shown_factor);
    }
}

/* The periods that its signal may have. */
static void write_aliases(json_writer *json, const struct star_planet *planet)
{
    if (planet->n_aliases == 0)
        return;
    json_key(json, "aliases");
    json_array_begin(json);
    for (size_t i = 0; i < planet->n_aliases; i++) {
        struct star_separation apart = star_planet_separation(planet, i);
        json_object_begin(json);
        json_key_number(json, "period_days", planet->aliases[i].period_days);
        json_key_number(json, "probability", planet->aliases[i].probability);
        json_key_number(json, "delta_lnl", planet->aliases[i].delta_lnl);
        json_key_number(json, "overlap", planet->aliases[i].overlap);
        json_key_number(json, "expected_separation", apart.expected);
        json_key_number(json, "expected_separation_err", apart.deviation);
        json_object_end(json);
    }
    json_array_end(json);
}

/* Of a planet that few observations share in; an upper end that is infinite is null. */
static void write_intervals(json_writer *json, const struct star_planet *planet)
{
    if (isnan(planet->k_m_s_low))
        return;
    json_key_number(json, "k_m_s_low", planet->k_m_s_low);
    json_key_number(json, "k_m_s_high", planet->k_m_s_high);
    json_key_number(json, "eccentricity_low", planet->eccentricity_low);
    json_key_number(json, "eccentricity_high", planet->eccentricity_high);
}

static void write_planet(json_writer *json, const struct star_planet *planet)
{
    write_quantities(json, planet, false);
    json_key_number(json, "fap", planet->false_alarm);
    json_key_number(json, "delta_lnl", planet->log_likelihood_gain);
    json_key_number(json, "delta_bic", planet->delta_bic);
    json_key_number(json, "probability", planet->probability);
    json_key_number(json, "fip", planet->false_inclusion);
    write_intervals(json, planet);
    if (!isnan(planet->m_jupiter)) {
        json_key_number(json, "m_jupiter", planet->m_jupiter);
        json_key_number(json, "m_jupiter_err", planet->m_jupiter_err);
    }
    json_key_number(json, "period_days_bound", planet->period_days_bound);
    json_key(json, "at_limit");
    if (planet->at_limit != EQUANT_LIMIT_NONE)
        json_string(json, star_planet_limit_word(planet->at_limit));
    else
        json_null(json);
    write_aliases(json, planet);
    write_quantities(json, planet, true);
}

/* How the probabilities of a star came about; nothing is known of numbers where there are none. */
static const char *probabilities_word(const struct star_result *star)
{
    if (star->is_sampled)
        return "full";
    return star->n_numbers > 0 ? "quick" : "none";
}

/* How probable each number of planets is, and whether that is a quick estimate. */
static void write_numbers(json_writer *json, const struct star_result *star)
{
    json_key_number(json, "threshold", star_result_threshold(star));
    json_key_string(json, "probabilities", probabilities_word(star));
    if (star->comparison != NULL)
        json_key_boolean(json, "chains_agree", equant_comparison_agrees(star->comparison));
    json_key(json, "n_planets");
    json_array_begin(json);
    for (size_t n = 0; n < star->n_numbers; n++) {
        json_object_begin(json);
        json_key_unsigned(json, "n", n);
        json_key_number(json, "probability", star->numbers[n]);
        json_object_end(json);
    }
    json_array_end(json);
}

/* Periods that two planets may have only together. */
static void write_pairs(json_writer *json, const struct star_result *star)
{
    if (star->n_pairs == 0)
        return;
    json_key(json, "alias_pairs");
    json_array_begin(json);
    for (size_t i = 0; i < star->n_pairs; i++) {
        const equant_alias_pair *own = &star->pairs[i];
        json_object_begin(json);
        json_key(json, "planets");
        json_array_begin(json);
        json_number(json, (double)own->first);
        json_number(json, (double)own->second);
        json_array_end(json);
        json_key(json, "period_days");
        json_array_begin(json);
        json_number(json, own->first_period_days);
        json_number(json, own->second_period_days);
        json_array_end(json);
        json_key_number(json, "probability", own->probability);
        json_key_number(json, "delta_lnl", own->delta_lnl);
        json_object_end(json);
    }
    json_array_end(json);
}

/* The period of a planet, or null. */
static void write_period(json_writer *json, const char *key, const struct star_planet *planet)
{
    json_key_number(json, key, planet != NULL ? planet->values[EQUANT_ELEMENT_PERIOD] : NAN);
}

/* What the fit was compared with, and itself. */
static void write_models(json_writer *json, const struct star_result *star)
{
    json_key(json, "models");
    json_array_begin(json);
    for (size_t i = 0; i < star_models_n(star); i++) {
        struct star_model model = star_models_at(star, i);
        json_object_begin(json);
        json_key_unsigned(json, "n_planets", model.n_planets);
        write_period(json, "without_period_days",
                     model.without > 0 ? &star->planets[model.without - 1] : NULL);
        write_period(json, "with_period_days", model.with_candidate ? &star->candidate : NULL);
        json_key_number(json, "lnl", model.log_likelihood);
        json_key_number(json, "bic", model.bic);
        json_key_number(json, "delta_lnz", model.delta_log_evidence);
        json_object_end(json);
    }
    json_array_end(json);
}

/* A planet that was refused, and why. */
static void write_candidate(json_writer *json, const struct star_result *star)
{
    json_key(json, "candidate");
    if (!star->has_candidate) {
        json_null(json);
        return;
    }
    json_object_begin(json);
    write_planet(json, &star->candidate);
    json_key(json, "refused_because");
    json_object_begin(json);
    json_key_string(json, "condition", star->refused_because);
    json_key_string(json, "sentence", star->refusal);
    json_object_end(json);
    json_object_end(json);
}

static void write_instruments(json_writer *json, const struct star_result *star)
{
    json_key(json, "instruments");
    json_array_begin(json);
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        json_object_begin(json);
        json_key_string(json, "name", equant_dataset_instrument_name(star->dataset, i));
        json_key_integer(json, "n_obs",
                         (long long)equant_dataset_instrument_n_obs(star->dataset, i));
        for (size_t k = 0; k < quantity_kind_n(); k++) {
            equant_quantity_info kind = quantity_kind_at(k);
            if (kind.axis != EQUANT_QUANTITY_PER_INSTRUMENT)
                continue;
            struct star_parameter own = star_result_of_instrument(star, kind.name, i);
            write_measured(json, kind.shown_name, own.value, own.uncertainty);
        }
        json_object_end(json);
    }
    json_array_end(json);
}

/* null without a trend; a quadratic term that was not fitted is null too. */
static void write_trend(json_writer *json, const struct star_result *star)
{
    struct star_parameter linear, quadratic = {NAN, NAN};
    json_key(json, "trend");
    if (!star_result_parameter(star, "trend_m_s_day", &linear)) {
        json_null(json);
        return;
    }
    star_result_parameter(star, "trend_m_s_day2", &quadratic);
    json_object_begin(json);
    write_measured(json, "linear_m_s_day", linear.value, linear.uncertainty);
    write_measured(json, "quadratic_m_s_day2", quadratic.value, quadratic.uncertainty);
    json_object_end(json);
}

/* The name of a term, and the instrument where it is of one. */
static void write_term(json_writer *json, const char *term)
{
    char name[STAR_NOISE_TERM_SIZE];
    const char *instrument = star_noise_instrument(term);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(term, "@"), term);
    json_key_string(json, "name", name);
    json_key(json, "instrument");
    if (instrument != NULL)
        json_string(json, instrument);
    else
        json_null(json);
}

static void write_noise_terms(json_writer *json, const struct star_noise *noise)
{
    json_key(json, "terms");
    json_array_begin(json);
    for (size_t i = 0; i < noise->n_parameters;) {
        const char *term = noise->parameters[i].term;
        json_object_begin(json);
        write_term(json, term);
        json_key(json, "parameters");
        json_object_begin(json);
        for (; i < noise->n_parameters && strcmp(noise->parameters[i].term, term) == 0; i++) {
            const struct star_noise_parameter *own = &noise->parameters[i];
            json_key(json, own->name);
            json_object_begin(json);
            json_key_number(json, "value", own->value);
            json_key_number(json, "err", own->err);
            json_key_string(json, "unit", own->unit);
            json_key_boolean(json, "fixed", own->is_fixed);
            json_object_end(json);
        }
        json_object_end(json);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_noise_indicators(json_writer *json, const struct star_result *star)
{
    json_key(json, "indicators");
    json_array_begin(json);
    for (size_t i = 0; i < star->noise.n_indicators; i++) {
        const struct star_noise_indicator *own = &star->noise.indicators[i];
        json_object_begin(json);
        json_key_string(json, "name", own->name);
        json_key_string(json, "instrument",
                        equant_dataset_instrument_name(star->dataset, own->instrument));
        write_measured(json, "slope_m_s", own->slope_m_s, own->slope_m_s_err);
        json_key_number(json, "mean", own->mean);
        json_key_number(json, "deviation", own->deviation);
        json_key_number(json, "smoothing_days", own->smoothing_days);
        json_object_end(json);
    }
    json_array_end(json);
}

/* Indicators that are series of one process with the velocities. */
static void write_series(json_writer *json, const struct star_result *star)
{
    const struct star_noise *noise = &star->noise;
    json_key(json, "series");
    json_array_begin(json);
    for (size_t i = 0; i < noise->n_series; i++) {
        const struct star_noise_series *own = &noise->series[i];
        json_object_begin(json);
        json_key_string(json, "name", own->name);
        json_key_string(json, "instrument",
                        equant_dataset_instrument_name(star->dataset, own->instrument));
        write_measured(json, "scale", own->scale, own->scale_err);
        write_measured(json, "rate", own->rate, own->rate_err);
        write_measured(json, "jitter", own->jitter, own->jitter_err);
        json_object_end(json);
    }
    json_array_end(json);
    write_measured(json, "lead_days", noise->has_series ? noise->lead_days : NAN,
                   noise->has_series ? noise->lead_days_err : NAN);
}

static void write_noise_trials(json_writer *json, const struct star_noise *noise)
{
    json_key(json, "tried");
    json_array_begin(json);
    for (size_t i = 0; i < noise->n_trials; i++) {
        const struct star_noise_trial *trial = &noise->trials[i];
        json_object_begin(json);
        write_term(json, trial->term);
        json_key_boolean(json, "chosen", trial->is_chosen);
        json_key_boolean(json, "given", trial->is_given);
        json_key_number(json, "delta_lnl", trial->log_likelihood_gain);
        json_key_number(json, "delta_bic", trial->delta_bic);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_indicator_trials(json_writer *json, const struct star_result *star)
{
    json_key(json, "indicators_tried");
    json_array_begin(json);
    for (size_t i = 0; i < star->noise.n_indicator_trials; i++) {
        const struct star_noise_indicator_trial *trial = &star->noise.indicator_trials[i];
        json_object_begin(json);
        json_key_string(json, "name", trial->name);
        json_key_string(json, "instrument",
                        equant_dataset_instrument_name(star->dataset, trial->instrument));
        json_key_number(json, "smoothing_days", trial->smoothing_days);
        json_key_boolean(json, "chosen", trial->is_chosen);
        json_key_boolean(json, "given", trial->is_given);
        json_key_number(json, "delta_lnl", trial->log_likelihood_gain);
        json_key_number(json, "delta_bic", trial->delta_bic);
        json_object_end(json);
    }
    json_array_end(json);
}

/* null where the noise is white and nothing else was offered. */
static void write_noise(json_writer *json, const struct star_result *star)
{
    const struct star_noise_parameter *rotation = star_noise_rotation(&star->noise);
    json_key(json, "noise");
    if (!star_noise_is_known(&star->noise)) {
        json_null(json);
        return;
    }
    json_object_begin(json);
    write_noise_terms(json, &star->noise);
    write_noise_indicators(json, star);
    write_series(json, star);
    write_noise_trials(json, &star->noise);
    write_indicator_trials(json, star);
    write_measured(json, "rotation_days", rotation != NULL ? rotation->value : NAN,
                   rotation != NULL ? rotation->err : NAN);
    json_key_number(json, "rms_after_m_s", star_noise_rms_after(star));
    json_object_end(json);
}

/* Observations that are not believed; rows are those of the data in the order of time, from 0. */
static void write_outliers(json_writer *json, const struct star_result *star)
{
    json_key(json, "outliers");
    json_array_begin(json);
    for (size_t i = 0; i < star->outliers.n; i++) {
        const struct star_outlier *own = &star->outliers.list[i];
        json_object_begin(json);
        json_key_string(json, "unit", own->is_night ? "night" : "observation");
        json_key_number(json, "time", star_outliers_time_days(star, own));
        json_key_string(json, "instrument", star_outliers_instrument(star, own));
        json_key(json, "rows");
        json_array_begin(json);
        for (size_t j = 0; j < own->n_rows; j++)
            json_number(json, (double)own->rows[j]);
        json_array_end(json);
        json_key_number(json, "deviation_m_s", own->deviation_m_s);
        json_key_number(json, "expected_m_s", own->expected_m_s);
        json_key_number(json, "deviation_sigma", own->deviation_m_s / own->expected_m_s);
        json_key_number(json, "widening_m_s", own->widening_m_s);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_texts(json_writer *json, const char *key, const struct text_list *list)
{
    json_key(json, key);
    json_array_begin(json);
    for (size_t i = 0; i < list->n; i++)
        json_string(json, list->texts[i]);
    json_array_end(json);
}

static void write_letter(json_writer *json, const struct planet_letters *letters, size_t planet)
{
    if (planet >= strlen(letters->text))
        return;
    json_key(json, "letter");
    json_string(json, (char[]){letters->text[planet], '\0'});
}

static const char *const end_words[] = {[EQUANT_FIT_FINISHED] = "finished",
                                        [EQUANT_FIT_SECONDS] = "seconds",
                                        [EQUANT_FIT_CANCELLED] = "cancelled"};

void fit_json_write(FILE *stream, const struct star_result *star)
{
    const equant_fit_summary *summary = &star->summary;
    json_writer json = json_start(stream);
    json_object_begin(&json);
    json_key(&json, "planets");
    json_array_begin(&json);
    for (size_t i = 0; i < star->n_planets; i++) {
        json_object_begin(&json);
        write_planet(&json, &star->planets[i]);
        write_letter(&json, &star->letters, i);
        json_key_boolean(&json, "is_candidate", star_result_is_candidate(star, i));
        json_object_end(&json);
    }
    json_array_end(&json);
    write_numbers(&json, star);
    write_pairs(&json, star);
    write_models(&json, star);
    write_instruments(&json, star);
    write_trend(&json, star);
    write_noise(&json, star);
    write_outliers(&json, star);
    json_key_string(&json, "end", end_words[summary->end]);
    json_key_integer(&json, "n_obs", (long long)summary->n_obs);
    json_key_unsigned(&json, "n_parameters",
                      equant_model_n_parameters(equant_fit_model(star->fit)));
    json_key_unsigned(&json, "n_fitted", summary->n_fitted);
    json_key_number(&json, "chi2", summary->chi_square);
    json_key_number(&json, "lnl", summary->log_likelihood);
    json_key_number(&json, "bic", summary->bic);
    json_key_number(&json, "rms_m_s", summary->rms_m_s);
    json_key_number(&json, "lnl_without_planets", summary->log_likelihood_without_planets);
    json_key_number(&json, "bic_without_planets", summary->bic_without_planets);
    json_key_number(&json, "t_ref", summary->reference_time_days);
    json_key_number(&json, "period_min_days", summary->period_min_days);
    json_key_number(&json, "period_max_days", summary->period_max_days);
    write_candidate(&json, star);
    write_texts(&json, "warnings", &star->warnings);
    write_texts(&json, "hints", &star->hints);
    json_object_end(&json);
    json_finish(&json);
}
