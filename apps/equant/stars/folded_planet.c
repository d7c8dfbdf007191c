#include "stars/folded_planet.h"

#include <math.h>
#include <stdlib.h>

#include "terminal/angles.h"
#include "terminal/messages.h"
#include "stars/orbit_curve.h"

/* Means of fewer than three points each would say no more than the points. */
enum { FEWEST_TO_BIN = 3 * PHASE_BINS };

static double phase_of(const struct star_planet *planet, double time_days)
{
    double turns =
        (time_days - star_planet_value(planet, "t_conj")) / planet->values[EQUANT_ELEMENT_PERIOD];
    return turns - round(turns);
}

static int fold(const struct star_result *star, size_t index, struct folded_planet *folded)
{
    const struct star_planet *planet = &star->planets[index];
    const double *time_days = equant_dataset_times_days(star->dataset);
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    int code = orbit_curve_of_planet(star, index, n_obs, time_days, folded->velocity_m_s);
    for (size_t k = 0; k < n_obs && code == EXIT_CODE_OK; k++) {
        folded->phase[k] = phase_of(planet, time_days[k]);
        folded->velocity_m_s[k] += star_noise_rest(star, k);
        folded->uncertainty_m_s[k] = star_result_uncertainty(star, k);
    }
    return code;
}

/* Velocities of the planet at phases. */
static int evaluate(const struct star_result *star, size_t index, size_t n, const double *phase,
                    double *velocity_m_s)
{
    const struct star_planet *planet = &star->planets[index];
    double *time_days = calloc(n, sizeof *time_days);
    if (time_days == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++)
        time_days[i] =
            star_planet_value(planet, "t_conj") + planet->values[EQUANT_ELEMENT_PERIOD] * phase[i];
    int code = orbit_curve_of_planet(star, index, n, time_days, velocity_m_s);
    free(time_days);
    return code;
}

static int by_phase(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void folded_planet_phases(const struct star_planet *planet, size_t n_even, double *phase, size_t *n)
{
    double anomaly[ORBIT_CURVE_TURN_MOST], period = planet->values[EQUANT_ELEMENT_PERIOD],
                                           conjunction = star_planet_value(planet, "t_conj"),
                                           pericentre = star_planet_value(planet, "t_peri");
    size_t n_turn = orbit_curve_turn(planet->values[EQUANT_ELEMENT_ECCENTRICITY], 1.0, anomaly);
    for (size_t i = 0; i < n_even; i++)
        phase[i] = (double)i / (double)(n_even - 1) - 0.5;
    *n = n_even;
    for (size_t k = 0; k < n_turn && isfinite(pericentre); k++) {
        double turns = (pericentre - conjunction) / period + anomaly[k] / TWO_PI;
        phase[(*n)++] = turns - round(turns);
    }
    qsort(phase, *n, sizeof *phase, by_phase);
}

static int trace(const struct star_result *star, size_t index, struct folded_planet *folded)
{
    folded_planet_phases(&star->planets[index], FOLDED_EVEN_POINTS, folded->curve_phase,
                         &folded->n_curve);
    return evaluate(star, index, folded->n_curve, folded->curve_phase, folded->curve_m_s);
}

bool folded_planet_has_means(const struct star_result *star)
{
    return equant_dataset_n_obs(star->dataset) >= FEWEST_TO_BIN;
}

/* Means of the residuals, less correlated noise, each on the curve. */
static int average(const struct star_result *star, size_t index, struct folded_planet *folded)
{
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    double phase[PHASE_BINS], *rest = calloc(n_obs, sizeof *rest);
    if (rest == NULL)
        return messages_out_of_memory();
    for (size_t k = 0; k < n_obs; k++)
        rest[k] = star_noise_rest(star, k);
    folded->has_means = folded_planet_has_means(star);
    phase_bins_fill(n_obs, folded->phase, rest, folded->uncertainty_m_s, folded->means);
    free(rest);
    for (size_t i = 0; i < PHASE_BINS; i++) {
        double middle = ((double)i + 0.5) / PHASE_BINS - 0.5; /* of a bin without points */
        phase[i] = folded->means[i].n > 0 ? folded->means[i].phase : middle;
    }
    int code = evaluate(star, index, PHASE_BINS, phase, folded->mean_m_s);
    for (size_t i = 0; i < PHASE_BINS && code == EXIT_CODE_OK; i++)
        folded->mean_m_s[i] += folded->means[i].residual_m_s;
    return code;
}

int folded_planet_create(const struct star_result *star, size_t index, struct folded_planet **made)
{
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    struct folded_planet *folded = *made = calloc(1, sizeof **made);
    if (folded == NULL)
        return messages_out_of_memory();
    folded->phase = calloc(n_obs, sizeof *folded->phase);
    folded->velocity_m_s = calloc(n_obs, sizeof *folded->velocity_m_s);
    folded->uncertainty_m_s = calloc(n_obs, sizeof *folded->uncertainty_m_s);
    if (folded->phase == NULL || folded->velocity_m_s == NULL || folded->uncertainty_m_s == NULL)
        return messages_out_of_memory();
    int code = fold(star, index, folded);
    if (code == EXIT_CODE_OK)
        code = trace(star, index, folded);
    return code == EXIT_CODE_OK ? average(star, index, folded) : code;
}

void folded_planet_free(struct folded_planet *folded)
{
    if (folded == NULL)
        return;
    free(folded->phase);
    free(folded->velocity_m_s);
    free(folded->uncertainty_m_s);
    free(folded);
}
