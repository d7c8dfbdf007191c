#include "results/fit_interacting.h"

#include <math.h>
#include <stdio.h>

#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/watched_call.h"

#define DEGREES_PER_RADIAN 57.29577951308232

static void add_value(struct table *table, double value, double error)
{
    if (isfinite(error) && error > 0.0)
        table_add(table, "%s", measured_value_of(value, error).text);
    else
        table_add(table, "%.6g", value);
}

static equant_status add_planets(const equant_interacting_fit *fit, struct table *table)
{
    static const char *const headings[] = {"P [d]", "mass [M_jup]", "e", "omega [deg]", "K [m/s]"};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        table_add(table, "%s", headings[i]);
    for (size_t p = 0; p < equant_interacting_fit_n_planets(fit); p++) {
        equant_interacting_planet own = {.struct_size = sizeof own};
        equant_status status = equant_interacting_fit_planet(fit, p, &own);
        if (status != EQUANT_SUCCESS)
            return status;
        add_value(table, own.period_days, own.period_days_err);
        add_value(table, own.mass_jupiter, own.mass_jupiter_err);
        add_value(table, own.eccentricity, own.eccentricity_err);
        add_value(table, own.omega_rad * DEGREES_PER_RADIAN,
                  own.omega_rad_err * DEGREES_PER_RADIAN);
        table_add(table, "%.2f", own.k_m_s);
    }
    return EQUANT_SUCCESS;
}

static void print_summary(const equant_interacting_summary *own)
{
    printf("  inclination %s deg, star of %.4g solar masses, epoch %.5f\n",
           measured_value_of(own->inclination_rad * DEGREES_PER_RADIAN,
                             own->inclination_rad_err * DEGREES_PER_RADIAN)
               .text,
           own->star_mass, own->epoch_days);
    printf("  lnL %.2f, BIC %.2f, rms %.3g m/s, %zu parameters\n", own->log_likelihood, own->bic,
           own->rms_m_s, own->n_fitted);
    if (isfinite(own->candidate_period_days))
        printf("  highest peak of the residuals: %.5g d, false-alarm probability %.2g\n",
               own->candidate_period_days, own->candidate_false_alarm);
}

static int print(const equant_interacting_fit *fit)
{
    struct table table = table_start("rrrrr");
    equant_interacting_summary summary = {.struct_size = sizeof summary};
    int code = messages_status(add_planets(fit, &table));
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_interacting_fit_summarize(fit, &summary));
    if (code == EXIT_CODE_OK) {
        printf("\nPlanets that attract each other: integrated orbits, one inclination\n");
        code = table_print(&table, stdout, 2);
    }
    if (code == EXIT_CODE_OK)
        print_summary(&summary);
    table_free(&table);
    return code;
}

int fit_interacting_print(const struct star_result *star, double star_mass)
{
    double orbits[EQUANT_NBODY_MAX_PLANETS * EQUANT_N_ELEMENTS];
    size_t n = star->n_planets;
    if (n < 2 || n > EQUANT_NBODY_MAX_PLANETS)
        return EXIT_CODE_OK;
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
            orbits[p * EQUANT_N_ELEMENTS + i] = star->planets[p].values[i];
    struct watched_call call = watched_call_start("");
    const equant_interacting_options options = {.struct_size = sizeof options,
                                                .star_mass = star_mass,
                                                .progress = watched_call_progress,
                                                .progress_context = &call};
    equant_interacting_fit *fit = NULL;
    int code = watched_call_end(
        &call, equant_interacting_fit_create(star->dataset, n, orbits, &options, &fit));
    if (code == EXIT_CODE_OK)
        code = print(fit);
    equant_interacting_fit_free(fit);
    return code;
}
