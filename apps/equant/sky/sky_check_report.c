#include "sky/sky_check_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/wrapped_text.h"

enum { N = EQUANT_SKY_N_PUBLISHED, PERIOD = 4, ECCENTRICITY = 5 };

static double error_of(const equant_sky_published *orbit, int element)
{
    return sqrt(orbit->covariance[element * (N + 1)]);
}

/* Semi-major axis of the light, by sky_orbit.h. */
static double axis_of(const equant_sky_published *orbit)
{
    const double *own = orbit->thiele_innes_mas; /* A, B, F, G */
    return 0.5 *
           (hypot(own[0] + own[3], own[1] - own[2]) + hypot(own[0] - own[3], own[1] + own[2]));
}

/* ---- text --------------------------------------------------------------------------------- */

static const char *sentence_of(const equant_sky_check *check)
{
    static const char *const sentences[] = {
        [EQUANT_SKY_UNCHECKED] = "has no constants on the sky, or its epochs do not suffice",
        [EQUANT_SKY_AGREES] = "agrees with its epochs",
        [EQUANT_SKY_OTHER_GEOMETRY] = "has the period of its epochs, and another geometry",
        [EQUANT_SKY_OTHER_PERIOD] = "has another period than its epochs",
        [EQUANT_SKY_IS_SCAN_ANGLE] = "is one of the scan angle, by its epochs",
        [EQUANT_SKY_NOTHING] = "is not in its epochs, which ask for no orbit"};
    return sentences[check->judgement];
}

static void add(struct table *table, const char *name, const char *published, double own)
{
    table_add(table, "%s", name);
    table_add(table, "%s", published);
    if (isnan(own))
        table_add(table, "%s", "");
    else
        table_add(table, "%.5g", own);
}

static int print_orbits(const equant_sky_published *orbit, const equant_sky_check *check)
{
    struct table table = table_start("lrr");
    char axis[24];
    snprintf(axis, sizeof axis, "%.4g", axis_of(orbit));
    table_add(&table, "orbit");
    table_add(&table, "published");
    table_add(&table, "of the epochs");
    table_add(&table, "period, days");
    table_add(&table, "%s", measured_value_of(orbit->period_days, error_of(orbit, PERIOD)).text);
    table_add(&table, "%s",
              isnan(check->period_days)
                  ? ""
                  : measured_value_of(check->period_days, check->period_days_err).text);
    add(&table, "eccentricity",
        measured_value_of(orbit->eccentricity, error_of(orbit, ECCENTRICITY)).text,
        check->eccentricity);
    add(&table, "a0, mas", axis, check->a0_mas);
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

int sky_check_report_print(const equant_sky_published *orbit, const equant_sky_check *check)
{
    const char *type = orbit->solution_type;
    wrapped_text_print("source %" PRId64 ": the published orbit%s%s%s %s\n\n", orbit->source_id,
                       type[0] ? " (" : "", type, type[0] ? ")" : "", sentence_of(check));
    if (check->judgement == EQUANT_SKY_UNCHECKED)
        return EXIT_CODE_OK;
    int code = print_orbits(orbit, check);
    wrapped_text_print("\n  verdict of the epochs alone: %s, false-alarm probability %s\n",
                       equant_sky_verdict_name(check->verdict),
                       spoken_number_probability(check->false_alarm).text);
    wrapped_text_print("  ln L of their best model less that of the published orbit: %.1f\n",
                       check->log_ratio);
    wrapped_text_print("  chi2 of five parameters %.1f, with the published orbit %.1f, best %.1f\n",
                       check->chi_square_5p, check->chi_square_published, check->chi_square_best);
    if (!isnan(check->distance_square))
        wrapped_text_print("  distance^2 of the orbits %.1f in seven elements, by %s; probability "
                           "%s\n",
                           check->distance_square,
                           orbit->has_correlations ? "both covariances"
                                                   : "the epochs' covariance and published errors",
                           spoken_number_probability(check->chance).text);
    return code;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void write_published(json_writer *json, const equant_sky_published *orbit)
{
    static const char *const names[] = {"a_mas", "b_mas", "f_mas", "g_mas"};
    json_key(json, "published");
    json_object_begin(json);
    json_key_number(json, "period_days", orbit->period_days);
    json_key_number(json, "period_days_err", error_of(orbit, PERIOD));
    json_key_number(json, "eccentricity", orbit->eccentricity);
    json_key_number(json, "eccentricity_err", error_of(orbit, ECCENTRICITY));
    json_key_number(json, "t_peri_jd", orbit->t_peri_jd);
    for (int i = 0; i < 4; i++)
        json_key_number(json, names[i], orbit->thiele_innes_mas[i]);
    json_key_number(json, "a0_mas", axis_of(orbit));
    json_key_boolean(json, "has_correlations", orbit->has_correlations != 0);
    json_object_end(json);
}

void sky_check_report_write(json_writer *json, const equant_sky_published *orbit,
                            const equant_sky_check *check)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"ln_ratio", check->log_ratio},
                   {"published_gain", check->gain_published},
                   {"chi2_5p", check->chi_square_5p},
                   {"chi2_published", check->chi_square_published},
                   {"chi2_best", check->chi_square_best},
                   {"distance2", check->distance_square},
                   {"distance_probability", check->chance},
                   {"period_days", check->period_days},
                   {"period_days_err", check->period_days_err},
                   {"eccentricity", check->eccentricity},
                   {"a0_mas", check->a0_mas},
                   {"fap", check->false_alarm}};
    bool is_checked = check->judgement != EQUANT_SKY_UNCHECKED;
    json_object_begin(json);
    json_key_string(json, "solution_type", orbit->solution_type);
    json_key_string(json, "judgement", equant_sky_judgement_name(check->judgement));
    json_key_string(json, "verdict", is_checked ? equant_sky_verdict_name(check->verdict) : "");
    write_published(json, orbit);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_key_number(json, numbers[i].name, numbers[i].value);
    json_object_end(json);
}
