#include "results/sb2_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/angles.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/wrapped_text.h"
#include "text/json_writer.h"

#define M_S_PER_KM_S 1000.0

/* What is printed. */
struct sb2_result {
    equant_sb2_rows rows;
    equant_sb2_orbit orbit;
    double *swapped, *model[2]; /* [n_rows] */
};

bool sb2_report_is_meant(const struct file_list *files)
{
    for (int i = 0; i < files->n; i++)
        if (equant_sb2_recognises(files->paths[i]))
            return true;
    return false;
}

bool sb2_report_has_option(const char *name)
{
    static const char *const names[] = {"json",       "period",           "period-min",
                                        "period-max", "max-eccentricity", "threads",
                                        "unit",       "source",           "no-jitter"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* ---- epochs ------------------------------------------------------------------------------- */

/* Which column has star 1 at an epoch, and what it and the other one have. */
static bool is_swapped(const struct sb2_result *result, size_t k)
{
    return result->swapped[k] > 0.5;
}

static double velocity_of(const struct sb2_result *result, size_t k, int star)
{
    return (star == 0) != is_swapped(result, k) ? result->rows.velocity_1_m_s[k]
                                                : result->rows.velocity_2_m_s[k];
}

static double error_of(const struct sb2_result *result, size_t k, int star)
{
    return (star == 0) != is_swapped(result, k) ? result->rows.uncertainty_1_m_s[k]
                                                : result->rows.uncertainty_2_m_s[k];
}

/* ---- text --------------------------------------------------------------------------------- */

static void add(struct table *table, const char *name, double value, double error, double scale,
                const char *unit, const char *meaning)
{
    table_add(table, "%s", name);
    table_add(table, "%s", measured_value_of(value / scale, error / scale).text);
    table_add(table, "%s", unit);
    table_add(table, "%s", meaning);
}

static int print_elements(const equant_sb2_orbit *own)
{
    const double degree = RADIANS_PER_DEGREE, km = M_S_PER_KM_S;
    struct table table = table_start("lrll");
    table_add(&table, "orbit");
    table_add(&table, "value");
    table_add(&table, "unit");
    table_add(&table, "convention");
    add(&table, "period", own->period_days, own->period_days_err, 1.0, "days", "");
    add(&table, "eccentricity", own->eccentricity, own->eccentricity_err, 1.0, "", "");
    add(&table, "omega", own->omega_rad, own->omega_rad_err, degree, "deg",
        "of star 1; that of star 2 is 180 more");
    add(&table, "pericentre", own->t_peri_days, own->t_peri_days_err, 1.0, "days", "");
    add(&table, "gamma", own->gamma_m_s, own->gamma_m_s_err, km, "km/s", "of both stars");
    add(&table, "K1", own->k_m_s[0], own->k_m_s_err[0], km, "km/s", "");
    add(&table, "K2", own->k_m_s[1], own->k_m_s_err[1], km, "km/s", "");
    add(&table, "q", own->mass_ratio, own->mass_ratio_err, 1.0, "", "M2 / M1 = K1 / K2");
    add(&table, "M1 sin^3 i", own->mass_sin3_sun[0], own->mass_sin3_sun_err[0], 1.0, "M_sun", "");
    add(&table, "M2 sin^3 i", own->mass_sin3_sun[1], own->mass_sin3_sun_err[1], 1.0, "M_sun", "");
    add(&table, "a1 sin i", own->a_sin_i_au[0], own->a_sin_i_au_err[0], 1.0, "au",
        "of star 1 about the barycentre");
    add(&table, "a2 sin i", own->a_sin_i_au[1], own->a_sin_i_au_err[1], 1.0, "au", "of star 2");
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

static void add_velocity(struct table *table, const struct sb2_result *result, size_t k, int star)
{
    double velocity = velocity_of(result, k, star), error = error_of(result, k, star);
    table_add(table, "%s",
              isnan(velocity)
                  ? ""
                  : measured_value_of(velocity / M_S_PER_KM_S, error / M_S_PER_KM_S).text);
    if (isnan(velocity))
        table_add(table, "%s", "");
    else
        table_add(table, "%.2f", (velocity - result->model[star][k]) / M_S_PER_KM_S);
}

static int print_epochs(const struct sb2_result *result)
{
    static const char *const heads[] = {"time", "star 1, km/s", "O-C",        "star 2, km/s",
                                        "O-C",  "swapped",      "probability"};
    struct table table = table_start("rrrrrlr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&table, "%s", heads[i]);
    for (size_t k = 0; k < result->rows.n_rows; k++) {
        table_add(&table, "%.5f", result->rows.time_days[k]);
        for (int star = 0; star < 2; star++)
            add_velocity(&table, result, k, star);
        table_add(&table, "%s", is_swapped(result, k) ? "yes" : "no");
        table_add(&table, "%.4f", result->swapped[k]);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

static int print_text(const struct sb2_result *result)
{
    const equant_sb2_orbit *own = &result->orbit;
    if (own->log_odds > 0.0)
        wrapped_text_print("The orbit of two stars: period %s days, mass ratio %s\n\n",
                           measured_value_of(own->period_days, own->period_days_err).text,
                           measured_value_of(own->mass_ratio, own->mass_ratio_err).text);
    else
        wrapped_text_print(
            "Two constant velocities are as likely as an orbit; the best orbit:\n\n");
    int code = print_elements(own);
    wrapped_text_print("\n  %zu epochs, %zu velocities; jitter %.3g km/s; chi2 %.1f; lnL %.2f\n",
                       own->n_rows, own->n_velocities, own->jitter_m_s / M_S_PER_KM_S,
                       own->chi_square, own->log_likelihood);
    wrapped_text_print(
        "  gain in ln L over two constant velocities %.1f, ln odds of an orbit %.1f\n", own->gain,
        own->log_odds);
    if (!isnan(own->next_period_days))
        wrapped_text_print("  next period: %.6g days, ln L lower by %.1f, a ratio of %s\n",
                           own->next_period_days, -own->next_log_ratio,
                           spoken_number_probability(exp(own->next_log_ratio)).text);
    wrapped_text_print("  swapped at %zu of %zu epochs:\n\n", own->n_swapped, own->n_rows);
    return code == EXIT_CODE_OK ? print_epochs(result) : code;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void write_measured(json_writer *json, const char *name, double value, double error)
{
    char error_name[64];
    snprintf(error_name, sizeof error_name, "%s_err", name);
    json_key_number(json, name, value);
    json_key_number(json, error_name, error);
}

static void write_orbit(json_writer *json, const equant_sb2_orbit *own)
{
    json_key(json, "orbit");
    json_object_begin(json);
    write_measured(json, "period_days", own->period_days, own->period_days_err);
    write_measured(json, "eccentricity", own->eccentricity, own->eccentricity_err);
    write_measured(json, "omega_rad", own->omega_rad, own->omega_rad_err);
    write_measured(json, "t_peri", own->t_peri_days, own->t_peri_days_err);
    write_measured(json, "gamma_m_s", own->gamma_m_s, own->gamma_m_s_err);
    write_measured(json, "k1_m_s", own->k_m_s[0], own->k_m_s_err[0]);
    write_measured(json, "k2_m_s", own->k_m_s[1], own->k_m_s_err[1]);
    write_measured(json, "mass_ratio", own->mass_ratio, own->mass_ratio_err);
    write_measured(json, "m1_sin3_i_sun", own->mass_sin3_sun[0], own->mass_sin3_sun_err[0]);
    write_measured(json, "m2_sin3_i_sun", own->mass_sin3_sun[1], own->mass_sin3_sun_err[1]);
    write_measured(json, "a1_sin_i_au", own->a_sin_i_au[0], own->a_sin_i_au_err[0]);
    write_measured(json, "a2_sin_i_au", own->a_sin_i_au[1], own->a_sin_i_au_err[1]);
    json_object_end(json);
}

static void write_epochs(json_writer *json, const struct sb2_result *result)
{
    json_key(json, "epochs");
    json_array_begin(json);
    for (size_t k = 0; k < result->rows.n_rows; k++) {
        json_object_begin(json);
        json_key_number(json, "time", result->rows.time_days[k]);
        json_key_number(json, "velocity_1_m_s", velocity_of(result, k, 0));
        json_key_number(json, "model_1_m_s", result->model[0][k]);
        json_key_number(json, "velocity_2_m_s", velocity_of(result, k, 1));
        json_key_number(json, "model_2_m_s", result->model[1][k]);
        json_key_boolean(json, "swapped", is_swapped(result, k));
        json_key_number(json, "swap_probability", result->swapped[k]);
        json_object_end(json);
    }
    json_array_end(json);
}

static void print_json(const struct sb2_result *result, const equant_sb2 *data)
{
    const equant_sb2_orbit *own = &result->orbit;
    const char *words;
    json_writer json = json_start(stdout);
    json_object_begin(&json);
    write_orbit(&json, own);
    json_key_unsigned(&json, "n_epochs", own->n_rows);
    json_key_unsigned(&json, "n_velocities", own->n_velocities);
    json_key_unsigned(&json, "n_swapped", own->n_swapped);
    json_key_number(&json, "jitter_m_s", own->jitter_m_s);
    json_key_number(&json, "chi2", own->chi_square);
    json_key_number(&json, "lnl", own->log_likelihood);
    json_key_number(&json, "gain", own->gain);
    json_key_number(&json, "ln_odds", own->log_odds);
    json_key_number(&json, "next_period_days", own->next_period_days);
    json_key_number(&json, "next_ln_ratio", own->next_log_ratio);
    write_epochs(&json, result);
    json_key(&json, "warnings");
    json_array_begin(&json);
    for (size_t i = 0; (words = equant_sb2_warning(data, i)) != NULL; i++)
        json_string(&json, words);
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

/* ---- the command -------------------------------------------------------------------------- */

static int fit(const struct fit_request *request, const equant_sb2 *data, struct sb2_result *result)
{
    const equant_sb2_options options = {.struct_size = sizeof options,
                                        .engine = &request->range.engine,
                                        .period_min_days = request->range.period_min_days,
                                        .period_max_days = request->range.period_max_days,
                                        .eccentricity_max = request->range.eccentricity_max,
                                        .no_jitter = request->has_no_jitter};
    size_t n = result->rows.n_rows;
    result->swapped = malloc(3 * n * sizeof *result->swapped);
    if (result->swapped == NULL)
        return messages_out_of_memory();
    result->model[0] = result->swapped + n;
    result->model[1] = result->swapped + 2 * n;
    equant_status status = equant_sb2_fit(data, &options, &result->orbit, result->swapped);
    if (status == EQUANT_SUCCESS)
        status = equant_sb2_velocities(&result->orbit, n, result->rows.time_days, result->model[0],
                                       result->model[1]);
    return messages_status(status);
}

int sb2_report_run(const struct fit_request *request, int64_t source_id,
                   const struct file_list *files, bool as_json)
{
    const equant_sb2_reading reading = {.struct_size = sizeof reading,
                                        .velocity_unit = request->source.unit,
                                        .source_id = source_id};
    struct sb2_result result = {.rows = {.struct_size = sizeof result.rows},
                                .orbit = {.struct_size = sizeof result.orbit}};
    equant_sb2 *data = NULL;
    const char *words;
    int code = messages_status(equant_sb2_read((size_t)files->n, files->paths, &reading, &data));
    for (size_t i = 0; !as_json && (words = equant_sb2_warning(data, i)) != NULL; i++)
        messages_warning("%s", words);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_sb2_rows_of(data, &result.rows));
    if (code == EXIT_CODE_OK)
        code = fit(request, data, &result);
    if (code == EXIT_CODE_OK && as_json)
        print_json(&result, data);
    else if (code == EXIT_CODE_OK)
        code = print_text(&result);
    free(result.swapped);
    equant_sb2_free(data);
    return code;
}
