#include <math.h>

#include "sky/sky_result.h"
#include "terminal/angles.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

#define JUPITERS_PER_SUN 1047.5655

/* Above this many of Jupiter a mass is told in suns. */
#define MANY_JUPITERS 200.0

static void add(struct table *table, const char *name, double value, double error, const char *unit,
                const char *meaning)
{
    if (isnan(value))
        return;
    table_add(table, "%s", name);
    table_add(table, "%s", measured_value_of(value, error).text);
    table_add(table, "%s", unit);
    table_add(table, "%s", meaning);
}

static void add_degrees(struct table *table, const char *name, double value, double error,
                        const char *meaning)
{
    add(table, name, value * DEGREES_PER_RADIAN, error * DEGREES_PER_RADIAN, "deg", meaning);
}

static void add_mass(struct table *table, const equant_sky_companion *own)
{
    bool is_large = own->mass_jupiter > MANY_JUPITERS;
    double scale = is_large ? JUPITERS_PER_SUN : 1.0;
    add(table, "mass", own->mass_jupiter / scale, own->mass_jupiter_err / scale,
        is_large ? "M_sun" : "M_jup", "of a dark companion");
    add(table, "a", own->a_au, own->a_au_err, "au", "of the companion about the star");
    if (isnan(own->mass_jupiter) && !isnan(own->mass_function_sun)) {
        table_add(table, "mass function");
        table_add(table, "%.4g", own->mass_function_sun);
        table_add(table, "M_sun");
        table_add(table, "m^3/(M+m)^2; --star-mass gives m");
    }
}

static int print_companion(const struct sky_result *result, size_t number,
                           const equant_sky_companion *own)
{
    struct table table = table_start("lrll");
    if (result->summary.n_companions > 1)
        table_add(&table, "companion %zu", number);
    else
        table_add(&table, "companion");
    table_add(&table, "value");
    table_add(&table, "unit");
    table_add(&table, "convention");
    add(&table, "period", own->period_days, own->period_days_err, "days", "");
    add(&table, "eccentricity", own->eccentricity, own->eccentricity_err, "", "");
    add(&table, "a0", own->a0_mas, own->a0_mas_err, "mas", "semi-major axis of the light");
    add_degrees(&table, "inclination", own->inclination_rad, own->inclination_rad_err,
                "below 90: position angles grow");
    add_degrees(&table, "omega", own->omega_rad, own->omega_rad_err,
                "of the star; the companion's is 180 more");
    add_degrees(&table, "node", own->node_rad, own->node_rad_err,
                "North through East, where the star recedes");
    add_degrees(&table, "M0", own->m0_rad, own->m0_rad_err, "mean anomaly at the reference time");
    add(&table, "pericentre", own->t_peri_jd, own->t_peri_jd_err, "JD", "TCB");
    add(&table, "A", own->thiele_innes_mas[0], own->thiele_innes_mas_err[0], "mas",
        "Thiele-Innes: Dec = A X + F Y");
    add(&table, "B", own->thiele_innes_mas[1], own->thiele_innes_mas_err[1], "mas",
        "RA* = B X + G Y");
    add(&table, "F", own->thiele_innes_mas[2], own->thiele_innes_mas_err[2], "mas", "");
    add(&table, "G", own->thiele_innes_mas[3], own->thiele_innes_mas_err[3], "mas", "");
    add(&table, "a1", own->a1_au, own->a1_au_err, "au", "of the star about the barycentre");
    add(&table, "K", own->k_m_s, own->k_m_s_err, "m/s",
        result->velocities != NULL ? "of the star" : "of the star, as the sky predicts it");
    add_mass(&table, own);
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    if (!own->node_is_known)
        wrapped_text_print(
            "\n  Astrometry alone does not tell which node recedes: omega and node may both be "
            "180 deg more.\n");
    printf("\n");
    return code;
}

static const char *unit_of(const char *column)
{
    switch (column[0]) {
    case 'a':
        return "mas/yr^2";
    case 'j':
        return "mas/yr^3";
    case 'p':
        return column[1] == 'm' ? "mas/yr" : "mas";
    case 'c':
        return column[2] == 'l' ? "1/um" : "mas";
    default:
        return "mas";
    }
}

static int print_columns(const struct sky_result *result)
{
    const equant_sky_solution *solution = result->solution;
    equant_sky_solution_summary summary = {.struct_size = sizeof summary};
    equant_status status = equant_sky_solution_summarize(solution, &summary);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    struct table table = table_start("lrl");
    table_add(&table, "source");
    table_add(&table, "value");
    table_add(&table, "unit");
    for (size_t j = 0; j < equant_sky_solution_n_columns(solution); j++) {
        equant_sky_column column = {.struct_size = sizeof column, .name = ""};
        (void)equant_sky_solution_column(solution, j, &column);
        table_add(&table, "%s", column.name);
        table_add(&table, "%s", measured_value_of(column.value, column.error).text);
        table_add(&table, "%s", unit_of(column.name));
    }
    table_add(&table, "jitter");
    table_add(&table, "%.3g", summary.jitter_mas);
    table_add(&table, "mas");
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    printf("\n");
    return code;
}

static int print_models(const struct sky_result *result)
{
    struct table table = table_start("lrrrr");
    table_add(&table, "model");
    table_add(&table, "parameters");
    table_add(&table, "chi2");
    table_add(&table, "BIC");
    table_add(&table, "own jitter");
    for (size_t i = 0; i < equant_sky_fit_n_models(result->fit); i++) {
        equant_sky_model model = {.struct_size = sizeof model};
        equant_sky_fit_model(result->fit, i, &model);
        table_add(&table, "%s", model.name);
        table_add(&table, "%zu", model.n_parameters);
        table_add(&table, "%.2f", model.chi_square);
        table_add(&table, "%.1f", model.bic);
        table_add(&table, "%.3g mas", model.jitter_mas);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    wrapped_text_print("\n  chi2: all with the jitter of the verdict's model, %.3g mas\n",
                       result->summary.jitter_mas);
    return code;
}

static void print_head(const struct sky_result *result)
{
    const equant_sky_summary *own = &result->summary;
    const char *name = equant_astrometry_name(result->source);
    long long id = (long long)equant_astrometry_source_id(result->source);
    printf("%s", terminal_style(stdout, TERMINAL_BOLD));
    if (own->end != EQUANT_FIT_FINISHED)
        printf("Not finished: interrupted. Found until then:\n");
    wrapped_text_write(stdout, equant_sky_fit_words(result->fit), 0);
    printf("%s\n\n  ", terminal_style(stdout, TERMINAL_PLAIN));
    if (name[0] != '\0')
        wrapped_text_print("%s: ", name);
    else if (id != 0)
        printf("source %lld: ", id);
    size_t n_velocities = result->velocities ? equant_dataset_n_obs(result->velocities) : 0;
    if (own->n_transits > 0)
        printf("%zu transits, %s; ", own->n_transits,
               result->as_ccds ? "as single CCDs" : "one mean each");
    if (own->n_motions > 0)
        printf("%zu proper motions of a catalogue; ", own->n_motions);
    if (n_velocities > 0)
        printf("%zu velocities; ", n_velocities);
    printf("%.1f days", own->span_days);
    wrapped_text_print("\n  reference time JD %.3f TCB; mas, Julian years\n\n", own->reference_jd);
}

static void print_tail(const struct sky_result *result)
{
    const equant_sky_summary *own = &result->summary;
    if (!isnan(own->false_alarm))
        wrapped_text_print(
            "  best orbit: gain in ln L %.1f, false-alarm probability %s behind 5p, %s behind "
            "scan angles\n",
            own->gain, spoken_number_probability(own->false_alarm_plain).text,
            spoken_number_probability(own->false_alarm_scan_angle).text);
    for (size_t i = 1; i < own->n_companions; i++) {
        equant_sky_companion next = {.struct_size = sizeof next};
        equant_sky_fit_companion(result->fit, i, &next);
        wrapped_text_print(
            "  companion %zu behind those before it: gain in ln L %.1f, false-alarm probability "
            "%s\n",
            i + 1, next.gain, spoken_number_probability(next.false_alarm).text);
    }
    if (own->n_companions > 0 && equant_sky_fit_flags(result->fit)[0] != '\0')
        wrapped_text_print("  rules not met: %s\n", equant_sky_fit_flags(result->fit));
    if (result->parallax_zero_point_mas != 0.0)
        wrapped_text_print("  distances from the parallax minus a zero point of %g mas\n",
                           result->parallax_zero_point_mas);
}

int sky_text_print(const struct sky_result *result)
{
    print_head(result);
    int code = 0;
    for (size_t i = 0; i < result->summary.n_companions && code == 0; i++) {
        equant_sky_companion companion = {.struct_size = sizeof companion};
        equant_sky_fit_companion(result->fit, i, &companion); /* the index is in range */
        code = print_companion(result, i + 1, &companion);
    }
    if (code == 0)
        code = print_columns(result);
    if (code == 0)
        code = print_models(result);
    print_tail(result);
    return code;
}
