#include "text/json_writer.h"
#include "sky/sky_result.h"
#include "terminal/angles.h"

#include <math.h>

static void write_measured(json_writer *json, const char *name, double value, double uncertainty)
{
    char key[64];
    json_key_number(json, name, value);
    snprintf(key, sizeof key, "%s_err", name);
    json_key_number(json, key, uncertainty);
}

static void write_degrees(json_writer *json, const char *name, double value, double uncertainty)
{
    write_measured(json, name, value * DEGREES_PER_RADIAN, uncertainty * DEGREES_PER_RADIAN);
}

static void write_companion(json_writer *json, const equant_sky_companion *own)
{
    static const char *const constants[4] = {"A", "B", "F", "G"};
    json_object_begin(json);
    write_measured(json, "period_days", own->period_days, own->period_days_err);
    write_measured(json, "eccentricity", own->eccentricity, own->eccentricity_err);
    write_degrees(json, "omega_deg", own->omega_rad, own->omega_rad_err);
    write_degrees(json, "m0_deg", own->m0_rad, own->m0_rad_err);
    write_measured(json, "t_peri", own->t_peri_jd, own->t_peri_jd_err);
    write_measured(json, "a0_mas", own->a0_mas, own->a0_mas_err);
    write_degrees(json, "inclination_deg", own->inclination_rad, own->inclination_rad_err);
    write_degrees(json, "node_deg", own->node_rad, own->node_rad_err);
    json_key_boolean(json, "node_is_known", own->node_is_known != 0);
    json_key(json, "thiele_innes");
    json_object_begin(json);
    for (int k = 0; k < 4; k++)
        write_measured(json, constants[k], own->thiele_innes_mas[k], own->thiele_innes_mas_err[k]);
    json_object_end(json);
    write_measured(json, "k_m_s", own->k_m_s, own->k_m_s_err);
    write_measured(json, "a1_au", own->a1_au, own->a1_au_err);
    write_measured(json, "mass_jupiter", own->mass_jupiter, own->mass_jupiter_err);
    write_measured(json, "a_au", own->a_au, own->a_au_err);
    json_key_number(json, "mass_function_sun", own->mass_function_sun);
    json_key_number(json, "fap", own->false_alarm);
    json_key_number(json, "delta_lnl", own->gain);
    json_key(json,
             "covariance"); /* of period_days, eccentricity, m0, a0, i, omega, node, parallax */
    json_array_begin(json);
    for (int i = 0; i < EQUANT_SKY_N_ELEMENTS; i++) {
        json_array_begin(json);
        for (int j = 0; j < EQUANT_SKY_N_ELEMENTS; j++)
            json_number(json, own->covariance[i * EQUANT_SKY_N_ELEMENTS + j]);
        json_array_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_models(json_writer *json, const struct sky_result *result)
{
    json_key(json, "chi2");
    json_object_begin(json);
    for (size_t i = 0; i < equant_sky_fit_n_models(result->fit); i++) {
        equant_sky_model model = {.struct_size = sizeof model};
        if (equant_sky_fit_model(result->fit, i, &model) == EQUANT_SUCCESS)
            json_key_number(json, model.name, model.chi_square);
    }
    json_object_end(json);
    json_key(json, "models");
    json_array_begin(json);
    for (size_t i = 0; i < equant_sky_fit_n_models(result->fit); i++) {
        equant_sky_model model = {.struct_size = sizeof model};
        if (equant_sky_fit_model(result->fit, i, &model) != EQUANT_SUCCESS)
            continue;
        json_object_begin(json);
        json_key_string(json, "name", model.name);
        json_key_unsigned(json, "n_parameters", model.n_parameters);
        json_key_number(json, "chi2", model.chi_square);
        json_key_number(json, "lnl", model.log_likelihood);
        json_key_number(json, "bic", model.bic);
        json_key_number(json, "jitter_mas", model.jitter_mas);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_columns(json_writer *json, const struct sky_result *result)
{
    json_key(json, "parameters");
    json_object_begin(json);
    for (size_t j = 0; j < equant_sky_solution_n_columns(result->solution); j++) {
        equant_sky_column column = {.struct_size = sizeof column};
        if (equant_sky_solution_column(result->solution, j, &column) == EQUANT_SUCCESS)
            write_measured(json, column.name, column.value, column.error);
    }
    json_object_end(json);
}

static void write_astrometry(json_writer *json, const struct sky_result *result)
{
    const equant_sky_summary *own = &result->summary;
    char id[32];
    snprintf(id, sizeof id, "%lld", (long long)equant_astrometry_source_id(result->source));
    json_key(json, "astrometry");
    json_object_begin(json);
    json_key_string(json, "end", own->end == EQUANT_FIT_FINISHED ? "finished" : "cancelled");
    json_key_string(json, "verdict", equant_sky_verdict_name(own->verdict));
    json_key_string(json, "words", equant_sky_fit_words(result->fit));
    json_key_string(json, "flags", equant_sky_fit_flags(result->fit));
    json_key_string(json, "source_id", id); /* more digits than a number of JSON keeps */
    json_key_unsigned(json, "n_transits", own->n_transits);
    json_key_unsigned(json, "n_motions", own->n_motions);
    json_key_unsigned(json, "n_rows", own->n_rows);
    write_measured(json, "parallax_mas", own->parallax_mas, own->parallax_mas_err);
    write_measured(json, "pm_ra_mas_yr", own->pm_ra_mas_yr, own->pm_ra_mas_yr_err);
    write_measured(json, "pm_dec_mas_yr", own->pm_dec_mas_yr, own->pm_dec_mas_yr_err);
    json_key_number(json, "jitter_mas", own->jitter_mas);
    json_key_number(json, "goodness_f2", own->goodness_f2);
    json_key_number(json, "gain", own->gain);
    json_key_number(json, "fap", own->false_alarm);
    json_key_number(json, "fap_5p", own->false_alarm_plain);
    json_key_number(json, "fap_scan_angle", own->false_alarm_scan_angle);
    if (own->is_tied) {
        json_key_number(json, "tie_chi2_excess", own->tie_excess);
        json_key_number(json, "tie_probability", own->tie_chance);
    }
    write_models(json, result);
    write_columns(json, result);
    json_object_end(json);
}

void sky_json_write(FILE *stream, const struct sky_result *result)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    json_key(&json, "planets");
    json_array_begin(&json);
    for (size_t i = 0; i < result->summary.n_companions; i++) {
        equant_sky_companion companion = {.struct_size = sizeof companion};
        if (equant_sky_fit_companion(result->fit, i, &companion) == EQUANT_SUCCESS)
            write_companion(&json, &companion);
    }
    json_array_end(&json);
    write_astrometry(&json, result);
    json_key_unsigned(&json, "n_obs", result->summary.n_rows);
    json_key_number(&json, "chi2", result->summary.chi_square);
    json_key_number(&json, "lnl", result->summary.log_likelihood);
    json_key_number(&json, "t_ref", result->summary.reference_jd);
    json_key_number(&json, "velocity_jitter_m_s", result->summary.velocity_jitter_m_s);
    json_key(&json, "warnings");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_astrometry_n_remarks(result->source); i++)
        json_string(&json, equant_astrometry_remark(result->source, i));
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}
