#include "astrometry/catalogue/sky_joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/joint_scan.h"
#include "astrometry/orbit/sky_fit_settings.h"
#include "astrometry/orbit/sky_search.h"
#include "astrometry/orbit/sky_verdict.h"
#include "astrometry/orbit/sky_workshop.h"
#include "core/status_fail.h"
#include "model/period_resolution.h"

/* As in sky_screen.c: what nodes miss between them, and the chance that is fitted in any case. */
#define GENEROUS_CHANCE 3.0
#define GENEROUS_GAIN 1.1

/* Velocities that scatter as their errors do more often than this are not searched. */
#define SCATTER_CHANCE 0.1

#define N_SKY_AMPLITUDES 4.0
#define N_VELOCITY_AMPLITUDES 2.0

static const equant_engine_options one_thread = {
    .struct_size = sizeof one_thread, .backend = "cpu", .n_threads = 1};

const char *equant_sky_origin_name(equant_sky_origin origin)
{
    static const char *const names[] = {"none", "sky", "velocities", "both"};
    return (size_t)origin < sizeof names / sizeof names[0] ? names[origin] : names[0];
}

void sky_joint_start(const equant_sky_star *star, equant_sky_joint_row *joint)
{
    *joint = (equant_sky_joint_row){.struct_size = sizeof *joint};
    double *first = &joint->gain, *end = &joint->mass_jupiter_err + 1;
    for (double *number = first; number < end; number++)
        *number = NAN;
    if (star->star_mass > 0.0) {
        joint->star_mass = star->star_mass;
        joint->star_mass_err = star->star_mass_err;
    }
}

/* A failure of one source is no failure of its catalogue, unless memory ran out. */
static equant_status forgive(equant_status status)
{
    return status == EQUANT_ERROR_OUT_OF_MEMORY ? status : EQUANT_SUCCESS;
}

static void add_flag(equant_sky_joint_row *joint, const char *flag)
{
    size_t used = strlen(joint->flags);
    if (flag[0] != '\0')
        snprintf(joint->flags + used, sizeof joint->flags - used, "%s%s", used > 0 ? ", " : "",
                 flag);
}

/* ---- orbits -----------------------------------------------------------------------------------
 */

static void take_companion(const equant_sky_companion *found, equant_sky_origin origin,
                           equant_sky_joint_row *joint)
{
    joint->orbit_from = origin;
    joint->period_days = found->period_days;
    joint->period_days_err = found->period_days_err;
    joint->eccentricity = found->eccentricity;
    joint->eccentricity_err = found->eccentricity_err;
    joint->a0_mas = found->a0_mas;
    joint->a0_mas_err = found->a0_mas_err;
    joint->inclination_rad = found->inclination_rad;
    joint->inclination_rad_err = found->inclination_rad_err;
    joint->omega_rad = found->omega_rad;
    joint->omega_rad_err = found->omega_rad_err;
    joint->node_rad = found->node_rad;
    joint->node_rad_err = found->node_rad_err;
    joint->t_peri_jd = found->t_peri_jd;
    joint->t_peri_jd_err = found->t_peri_jd_err;
    joint->k_m_s = found->k_m_s;
    joint->k_m_s_err = found->k_m_s_err;
    joint->mass_function_sun = found->mass_function_sun;
    joint->mass_jupiter = found->mass_jupiter;
    joint->mass_jupiter_err = found->mass_jupiter_err;
}

/* The orbit of velocities: what the sky would tell is not known. */
static void take_planet(const equant_planet *found, const equant_dataset *velocities,
                        equant_sky_joint_row *joint)
{
    const double g_sun_days = 1.0361e-7 / 1e9; /* P K^3/(2 pi G), days and (m/s)^3, in suns */
    double root = sqrt(1.0 - found->eccentricity * found->eccentricity);
    const equant_sky_companion seen = {.period_days = found->period_days,
                                       .period_days_err = found->period_days_err,
                                       .eccentricity = found->eccentricity,
                                       .eccentricity_err = found->eccentricity_err,
                                       .a0_mas = NAN,
                                       .a0_mas_err = NAN,
                                       .inclination_rad = NAN,
                                       .inclination_rad_err = NAN,
                                       .omega_rad = found->omega_rad,
                                       .omega_rad_err = found->omega_rad_err,
                                       .node_rad = NAN,
                                       .node_rad_err = NAN,
                                       .t_peri_jd = sky_data_velocity_jd(velocities, found->t_peri),
                                       .t_peri_jd_err = found->t_peri_err,
                                       .k_m_s = found->k_m_s,
                                       .k_m_s_err = found->k_m_s_err,
                                       .mass_function_sun = g_sun_days * found->period_days *
                                                            pow(found->k_m_s * root, 3.0),
                                       .mass_jupiter = found->m_sin_i_jupiter,
                                       .mass_jupiter_err = found->m_sin_i_jupiter_err};
    take_companion(&seen, EQUANT_SKY_FROM_VELOCITIES, joint);
    if (isfinite(found->m_sin_i_jupiter))
        add_flag(joint, "minimum_mass");
}

equant_status sky_joint_take_sky(const equant_sky_fit *fit, equant_sky_joint_row *joint)
{
    equant_sky_summary summary = {.struct_size = sizeof summary};
    equant_sky_companion companion = {.struct_size = sizeof companion};
    equant_status status = equant_sky_fit_summarize(fit, &summary);
    if (status != EQUANT_SUCCESS || summary.verdict != EQUANT_SKY_ORBIT)
        return status;
    status = equant_sky_fit_companion(fit, 0, &companion);
    if (status == EQUANT_SUCCESS)
        take_companion(&companion, EQUANT_SKY_FROM_SKY, joint);
    return status;
}

/* ---- velocities alone -------------------------------------------------------------------------
 */

/* Chi-square of velocities that do not change, each instrument around its mean; and its degrees of
 * freedom. */
static double scatter_of(const equant_dataset *velocities, double *n_free)
{
    size_t n = equant_dataset_n_obs(velocities);
    const double *value = equant_dataset_velocities_m_s(velocities);
    const double *error = equant_dataset_uncertainties_m_s(velocities);
    const int *instrument = equant_dataset_instruments(velocities);
    double chi_square = 0.0;
    *n_free = (double)n;
    for (size_t own = 0; own < equant_dataset_n_instruments(velocities); own++) {
        double total = 0.0, mean = 0.0;
        for (size_t k = 0; k < n; k++)
            if (instrument[k] == (int)own) {
                total += pow(error[k], -2.0);
                mean += value[k] * pow(error[k], -2.0);
            }
        *n_free -= 1.0;
        for (size_t k = 0; k < n && total > 0.0; k++)
            if (instrument[k] == (int)own)
                chi_square += pow((value[k] - mean / total) / error[k], 2.0);
    }
    return chi_square;
}

/* Whether noise hardly makes velocities scatter as much, by the normal approximation of Wilson and
 * Hilferty (1931, PNAS 17, 684) to chi-square. */
static bool do_vary(const equant_dataset *velocities)
{
    double n_free, chi_square = scatter_of(velocities, &n_free);
    if (!(n_free > 0.0))
        return false;
    double width = 2.0 / (9.0 * n_free);
    double normal = (cbrt(chi_square / n_free) - (1.0 - width)) / sqrt(width);
    return 0.5 * erfc(normal / sqrt(2.0)) < SCATTER_CHANCE;
}

/* The planet that velocities alone show; *has_any: there is one. */
static equant_status fit_velocities(const sky_joint_settings *settings, const equant_sky_star *star,
                                    equant_planet *planet, bool *has_any,
                                    equant_sky_joint_row *joint)
{
    const equant_fit_options options = {.struct_size = sizeof options,
                                        .engine = &one_thread,
                                        .max_planets = 1,
                                        .false_alarm_max = settings->false_alarm_max,
                                        .period_min_days = settings->velocity_period_min_days,
                                        .period_max_days = settings->velocity_period_max_days,
                                        .eccentricity_max = settings->velocity_eccentricity_max,
                                        .star_mass = star->star_mass,
                                        .noise = "white",
                                        .no_probabilities = 1,
                                        .seed = 1};
    equant_fit *fit = NULL;
    *has_any = false;
    equant_status status = equant_fit_star(star->velocities, &options, &fit);
    *has_any = status == EQUANT_SUCCESS && equant_fit_n_planets(fit) > 0;
    bool has_some =
        *has_any ? equant_fit_planet(fit, 0, planet) == EQUANT_SUCCESS
                 : status == EQUANT_SUCCESS && equant_fit_candidate(fit, planet) == EQUANT_SUCCESS;
    if (has_some) {
        joint->velocity_gain = planet->log_likelihood_gain;
        joint->velocity_false_alarm = planet->false_alarm;
        joint->velocity_period_days = planet->period_days;
    }
    equant_fit_free(fit);
    return forgive(status);
}

/* ---- both -------------------------------------------------------------------------------------
 */

/* The gain in ln L of a fall of chi-square by n rows that leave so much: with the errors as they
 * are, or with a noise level that both fits choose. */
static double gain_of(double fall, double left, double n, bool has_jitter)
{
    double share = GENEROUS_GAIN * fall / left;
    if (!has_jitter || !(left > 0.0))
        return 0.5 * GENEROUS_GAIN * fall;
    return share < 1.0 ? -0.5 * n * log1p(-share) : INFINITY;
}

/* Whether the best node of the scan of both is more than noise makes. */
static equant_status judge_scan(const sky_ladder *ladder, const sky_ladder_settings *settings,
                                sky_refiner *refiner, const sky_scan_node *bins, bool *is_wanted)
{
    const sky_data *data = &ladder->data;
    const sky_solution *base = ladder->rungs + SKY_RUNG_5P;
    const sky_scan_node *best = bins;
    double fall[2], left[2] = {0.0, 0.0};
    bool has_jitter = false;
    for (size_t i = 1; i < ladder->grid.n_bins; i++)
        best = bins[i].gain > best->gain ? bins + i : best;
    equant_status status = joint_scan_parts(refiner, best, fall);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t k = 0; k < data->n_sky + data->n_velocities; k++)
        left[k >= data->n_sky] += pow(refiner->residual[k], 2.0);
    for (int group = 1; group < SKY_DATA_MAX_GROUPS; group++)
        has_jitter = has_jitter || base->jitter[group] > 0.0;
    double gain = gain_of(fall[0], left[0], (double)data->n_sky, base->jitter[0] > 0.0) +
                  gain_of(fall[1], left[1], (double)data->n_velocities, has_jitter);
    *is_wanted = !(sky_verdict_chance(ladder, settings, base, gain) >=
                   GENEROUS_CHANCE * settings->false_alarm_max);
    return EQUANT_SUCCESS;
}

/* Whether a scan of both asks for a fit of both. */
static equant_status scan_both(const equant_astrometry *source,
                               const equant_sky_fit_options *options, bool *is_wanted)
{
    sky_ladder_settings settings, filled;
    sky_ladder ladder = {0};
    sky_workshop shop = {0};
    sky_scan_node *bins = NULL;
    *is_wanted = false;
    equant_status status = sky_fit_settings(options, &settings);
    if (status == EQUANT_SUCCESS)
        status = sky_ladder_open(source, options->velocities, &settings, &ladder, &filled);
    if (status == EQUANT_SUCCESS)
        status = sky_ladder_begin(&ladder, &filled);
    if (status == EQUANT_SUCCESS)
        status = sky_workshop_open(&ladder.data, &ladder.rungs[SKY_RUNG_5P].model, &shop);
    if (status == EQUANT_SUCCESS && (bins = malloc(ladder.grid.n_bins * sizeof *bins)) == NULL)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        const sky_search_place place = {&shop.refiner, ladder.rungs + SKY_RUNG_5P};
        status = sky_search_scan(&place, &ladder.grid, filled.engine, bins);
    }
    if (status == EQUANT_SUCCESS)
        status = judge_scan(&ladder, &filled, &shop.refiner, bins, is_wanted);
    free(bins);
    sky_workshop_close(&shop);
    sky_ladder_free(&ladder);
    return status;
}

/* Whose amplitudes are worth their number: by BIC, as the orbit itself. */
static equant_sky_origin origin_of(const equant_sky_summary *summary, size_t n_velocities)
{
    double n_sky = (double)(summary->n_rows - n_velocities);
    bool on_sky = 2.0 * summary->gain_sky > N_SKY_AMPLITUDES * log(n_sky);
    bool in_velocities =
        2.0 * summary->gain_velocities > N_VELOCITY_AMPLITUDES * log((double)n_velocities);
    return on_sky == in_velocities ? EQUANT_SKY_FROM_BOTH
           : on_sky                ? EQUANT_SKY_FROM_SKY
                                   : EQUANT_SKY_FROM_VELOCITIES;
}

/* What a fit of both says; `planet` is the orbit of velocities alone, or NULL. */
static equant_status tell_both(const equant_sky_fit *fit, const equant_sky_star *star,
                               const equant_planet *planet, double false_alarm_max,
                               equant_sky_joint_row *joint)
{
    equant_sky_summary summary = {.struct_size = sizeof summary};
    equant_sky_companion companion = {.struct_size = sizeof companion};
    equant_status status = equant_sky_fit_summarize(fit, &summary);
    if (status != EQUANT_SUCCESS)
        return status;
    joint->gain = summary.gain;
    joint->false_alarm = summary.false_alarm;
    if (summary.verdict != EQUANT_SKY_ORBIT)
        return EQUANT_SUCCESS;
    joint->gain_sky = summary.gain_sky;
    joint->gain_velocities = summary.gain_velocities;
    joint->tie_excess = summary.tie_excess;
    joint->tie_chance = summary.tie_chance;
    equant_sky_origin origin = origin_of(&summary, joint->n_velocities);
    if (origin == EQUANT_SKY_FROM_VELOCITIES && planet != NULL &&
        planet->log_likelihood_gain > summary.gain_velocities) {
        take_planet(planet, star->velocities, joint);
        return EQUANT_SUCCESS;
    }
    status = equant_sky_fit_companion(fit, 0, &companion);
    if (status != EQUANT_SUCCESS)
        return status;
    take_companion(&companion, origin, joint);
    add_flag(joint, equant_sky_fit_flags(fit));
    if (summary.tie_chance < false_alarm_max)
        add_flag(joint, "disagree");
    return EQUANT_SUCCESS;
}

static equant_status fit_both(const sky_joint_settings *settings, const equant_astrometry *source,
                              const equant_sky_star *star, bool is_wanted,
                              const equant_planet *planet, equant_sky_joint_row *joint)
{
    const equant_sky_fit_options options = {.struct_size = sizeof options,
                                            .engine = &one_thread,
                                            .no_colour = !settings->has_colour,
                                            .false_alarm_max = settings->false_alarm_max,
                                            .period_min_days = settings->limits.period_min_days,
                                            .period_max_days = settings->limits.period_max_days,
                                            .eccentricity_max = settings->limits.eccentricity_max,
                                            .star_mass = star->star_mass,
                                            .star_mass_err = star->star_mass_err,
                                            .parallax_zero_point_mas = star->parallax_bias_mas,
                                            .velocities = star->velocities,
                                            .max_companions = 1};
    equant_sky_fit *fit = NULL;
    equant_status status = EQUANT_SUCCESS;
    if (!is_wanted)
        status = scan_both(source, &options, &is_wanted);
    if (status == EQUANT_SUCCESS && is_wanted)
        status = equant_sky_fit_create(source, &options, &fit);
    if (status == EQUANT_SUCCESS && is_wanted)
        status = tell_both(fit, star, planet, settings->false_alarm_max, joint);
    equant_sky_fit_free(fit);
    return forgive(status);
}

static double span_of(const equant_dataset *velocities)
{
    const double *times = equant_dataset_times_days(velocities);
    return times[equant_dataset_n_obs(velocities) - 1] - times[0];
}

equant_status sky_joint_add(const sky_joint_settings *settings, const equant_astrometry *source,
                            const equant_sky_star *star, const equant_sky_catalogue_row *row,
                            equant_sky_joint_row *joint)
{
    equant_planet planet = {.struct_size = sizeof planet};
    bool has_planet = false, has_sky_orbit = joint->orbit_from == EQUANT_SKY_FROM_SKY;
    equant_status status = EQUANT_SUCCESS;
    joint->n_velocities = equant_dataset_n_obs(star->velocities);
    if (settings->fits_all || do_vary(star->velocities))
        status = fit_velocities(settings, star, &planet, &has_planet, joint);
    if (status == EQUANT_SUCCESS && source != NULL && row->is_solved)
        status = fit_both(settings, source, star, has_planet || has_sky_orbit || settings->fits_all,
                          has_planet ? &planet : NULL, joint);
    if (status != EQUANT_SUCCESS)
        return status;
    if (joint->orbit_from == EQUANT_SKY_FROM_NONE && has_planet)
        take_planet(&planet, star->velocities, joint);
    if (has_planet && has_sky_orbit &&
        !period_resolution_is_same(planet.period_days, row->period_days, span_of(star->velocities)))
        add_flag(joint, "periods_differ");
    return EQUANT_SUCCESS;
}
