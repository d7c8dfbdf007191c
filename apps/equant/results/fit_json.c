#include "results/fit_json.h"

#include <math.h>

#include "files/json.h"
#include "terminal/angles.h"

/* "NAME": value, "NAME_err": uncertainty. */
static void write_measured(json_writer *json, const char *name, double value, double uncertainty)
{
    char key[48];
    json_key_number(json, name, value);
    snprintf(key, sizeof key, "%s_err", name);
    json_key_number(json, key, uncertainty);
}

static void write_planet(json_writer *json, const equant_planet *planet)
{
    json_object_begin(json);
    write_measured(json, "period_days", planet->period_days, planet->period_days_err);
    write_measured(json, "k_m_s", planet->k_m_s, planet->k_m_s_err);
    write_measured(json, "eccentricity", planet->eccentricity, planet->eccentricity_err);
    write_measured(json, "omega_deg", planet->omega_rad * DEGREES_PER_RADIAN,
                   planet->omega_rad_err * DEGREES_PER_RADIAN);
    write_measured(json, "m0_deg", planet->m0_rad * DEGREES_PER_RADIAN,
                   planet->m0_rad_err * DEGREES_PER_RADIAN);
    write_measured(json, "t_peri", planet->t_peri, planet->t_peri_err);
    write_measured(json, "t_conj", planet->t_conj, planet->t_conj_err);
    json_key_number(json, "fap", planet->false_alarm);
    json_key_number(json, "delta_lnl", planet->log_likelihood);
    json_key_number(json, "delta_bic", planet->delta_bic);
    write_measured(json, "m_sin_i_jupiter", planet->m_sin_i_jupiter, planet->m_sin_i_jupiter_err);
    write_measured(json, "a_au", planet->a_au, planet->a_au_err);
    json_object_end(json);
}

static void write_instruments(json_writer *json, const struct star_result *star)
{
    json_key(json, "instruments");
    json_array_begin(json);
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        struct star_parameter offset = star_result_offset(star, i);
        struct star_parameter jitter = star_result_jitter(star, i);
        json_object_begin(json);
        json_key_string(json, "name", equant_dataset_instrument_name(star->dataset, i));
        json_key_integer(json, "n_obs",
                         (long long)equant_dataset_instrument_n_obs(star->dataset, i));
        write_measured(json, "offset_m_s", offset.value, offset.uncertainty);
        write_measured(json, "jitter_m_s", jitter.value, jitter.uncertainty);
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

static void write_texts(json_writer *json, const char *key, const struct text_list *list)
{
    json_key(json, key);
    json_array_begin(json);
    for (size_t i = 0; i < list->n; i++)
        json_string(json, list->texts[i]);
    json_array_end(json);
}

void fit_json_write(FILE *stream, const struct star_result *star)
{
    const equant_fit_summary *summary = &star->summary;
    json_writer json = json_start(stream);
    json_object_begin(&json);
    json_key(&json, "planets");
    json_array_begin(&json);
    for (size_t i = 0; i < star->n_planets; i++)
        write_planet(&json, &star->planets[i]);
    json_array_end(&json);
    write_instruments(&json, star);
    write_trend(&json, star);
    json_key_integer(&json, "n_obs", (long long)summary->n_obs);
    json_key_integer(&json, "n_parameters", (long long)summary->n_fitted);
    json_key_number(&json, "chi2", summary->chi_square);
    json_key_number(&json, "lnl", summary->log_likelihood);
    json_key_number(&json, "bic", summary->bic);
    json_key_number(&json, "rms_m_s", summary->rms_m_s);
    json_key_number(&json, "lnl_without_planets", summary->log_likelihood_without_planets);
    json_key_number(&json, "bic_without_planets", summary->bic_without_planets);
    json_key_number(&json, "t_ref", summary->reference_time_days);
    json_key(&json, "candidate");
    if (star->has_candidate)
        write_planet(&json, &star->candidate);
    else
        json_null(&json);
    write_texts(&json, "warnings", &star->warnings);
    write_texts(&json, "hints", &star->hints);
    json_object_end(&json);
    json_finish(&json);
}
