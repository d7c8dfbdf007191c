#include "results/fit_interacting.h"

#include <math.h>
#include <stdio.h>

#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/watched_call.h"

#define DEGREES_PER_RADIAN 57.29577951308232
#define EARTHS_PER_JUPITER 317.828

static void add_value(struct table *table, double value, double error)
{
    if (isfinite(error) && error > 0.0)
        table_add(table, "%s", measured_value_of(value, error).text);
    else
        table_add(table, "%.6g", value);
}

/* Earths for planets that are all below a tenth of Jupiter. */
struct mass_unit {
    const char *heading;
    double per_jupiter;
};

static struct mass_unit mass_unit_of(const equant_interacting_fit *fit)
{
    double largest = 0.0;
    for (size_t p = 0; p < equant_interacting_fit_n_planets(fit); p++) {
        equant_interacting_planet own = {.struct_size = sizeof own};
        if (equant_interacting_fit_planet(fit, p, &own) == EQUANT_SUCCESS)
            largest = fmax(largest, own.mass_jupiter);
    }
    return largest < 0.1 ? (struct mass_unit){"mass [M_earth]", EARTHS_PER_JUPITER}
                         : (struct mass_unit){"mass [M_jup]", 1.0};
}

static equant_status add_planets(const equant_interacting_fit *fit, bool has_labels,
                                 struct table *table)
{
    const struct mass_unit unit = mass_unit_of(fit);
    const char *const headings[] = {"P [d]", unit.heading, "e", "omega [deg]", "K [m/s]"};
    if (has_labels)
        table_add(table, "planet");
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        table_add(table, "%s", headings[i]);
    for (size_t p = 0; p < equant_interacting_fit_n_planets(fit); p++) {
        equant_interacting_planet own = {.struct_size = sizeof own};
        equant_status status = equant_interacting_fit_planet(fit, p, &own);
        if (status != EQUANT_SUCCESS)
            return status;
        if (has_labels)
            table_add(table, "%c", own.label > 0 ? 'a' + own.label : '-');
        add_value(table, own.period_days, own.period_days_err);
        add_value(table, own.mass_jupiter * unit.per_jupiter,
                  own.mass_jupiter_err * unit.per_jupiter);
        add_value(table, own.eccentricity, own.eccentricity_err);
        add_value(table, own.omega_rad * DEGREES_PER_RADIAN,
                  own.omega_rad_err * DEGREES_PER_RADIAN);
        table_add(table, "%.4g", own.k_m_s);
    }
    return EQUANT_SUCCESS;
}

static void print_summary(const equant_interacting_summary *own)
{
    double inclination = own->inclination_rad * DEGREES_PER_RADIAN;
    double error = own->inclination_rad_err * DEGREES_PER_RADIAN;
    if (isfinite(error))
        printf("  inclination %s deg", measured_value_of(inclination, error).text);
    else
        printf("  inclination %.4g deg", inclination);
    printf(", star of %.4g solar masses, epoch %.5f\n", own->star_mass, own->epoch_days);
    if (own->n_transits > 0)
        printf("  %zu transits: chi-square %.1f, rms %.3g s\n", own->n_transits,
               own->chi_square_transits, own->rms_transits_s);
    printf("  lnL %.2f, BIC %.2f", own->log_likelihood, own->bic);
    if (own->n_obs > 0)
        printf(", rms %.3g m/s", own->rms_m_s);
    printf(", %zu parameters\n", own->n_fitted);
    if (isfinite(own->candidate_period_days))
        printf("  highest peak of the residuals: %.5g d, false-alarm probability %.2g\n",
               own->candidate_period_days, own->candidate_false_alarm);
}

static int print(const equant_interacting_fit *fit, const struct fit_interacting *what)
{
    struct table table = table_start(what->transits != NULL ? "lrrrrr" : "rrrrr");
    equant_interacting_summary summary = {.struct_size = sizeof summary};
    int code = messages_status(add_planets(fit, what->transits != NULL, &table));
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_interacting_fit_summarize(fit, &summary));
    if (code == EXIT_CODE_OK) {
        printf("%sPlanets that attract each other: integrated orbits, one inclination\n",
               what->star != NULL ? "\n" : "");
        code = table_print(&table, stdout, 2);
    }
    if (code == EXIT_CODE_OK)
        print_summary(&summary);
    table_free(&table);
    return code;
}

static size_t copy_orbits(const struct star_result *star, double *orbits)
{
    size_t n =
        star->n_planets < EQUANT_NBODY_MAX_PLANETS ? star->n_planets : EQUANT_NBODY_MAX_PLANETS;
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
            orbits[p * EQUANT_N_ELEMENTS + i] = star->planets[p].values[i];
    return n;
}

int fit_interacting_print(const struct fit_interacting *what)
{
    double orbits[EQUANT_NBODY_MAX_PLANETS * EQUANT_N_ELEMENTS];
    const equant_dataset *dataset = what->star != NULL ? what->star->dataset : NULL;
    size_t n = what->star != NULL ? copy_orbits(what->star, orbits) : 0;
    if (n < 2 && what->transits == NULL) {
        printf("\nThe fit found %s: planets attract each other where there are two or more.\n",
               n == 0 ? "no planet" : "one planet");
        return EXIT_CODE_OK;
    }
    struct watched_call call = watched_call_start("");
    const equant_interacting_options options = {.struct_size = sizeof options,
                                                .engine = what->engine,
                                                .star_mass = what->star_mass,
                                                .progress = watched_call_progress,
                                                .progress_context = &call,
                                                .transits = what->transits};
    equant_interacting_fit *fit = NULL;
    int code =
        watched_call_end(&call, equant_interacting_fit_create(dataset, n, orbits, &options, &fit));
    if (code == EXIT_CODE_OK)
        code = print(fit, what);
    equant_interacting_fit_free(fit);
    return code;
}
