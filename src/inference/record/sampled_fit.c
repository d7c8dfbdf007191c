/* Sampled probabilities in the place of the quick ones of a fit. */
#include <math.h>

#include "core/status_fail.h"
#include "inference/fit/fit_record.h"
#include "model/period_resolution.h"

/* Whether one of the periods of a signal is this one. */
static bool has_period(const equant_comparison *comparison, size_t signal, size_t n_aliases,
                       double period_days, double span_days)
{
    for (size_t i = 0; i < n_aliases; i++) {
        equant_alias alias = {.struct_size = sizeof alias};
        if (equant_comparison_alias(comparison, signal, i, &alias) == EQUANT_SUCCESS &&
            period_resolution_is_same(alias.period_days, period_days, span_days))
            return true;
    }
    return false;
}

/* Of a planet that is no signal of its own, the probability of its period alone. */
static void judge(const equant_comparison *comparison, double span_days, equant_planet *planet)
{
    double period = planet->period_days, half_per_day = PERIOD_SAME / span_days;
    for (size_t i = 0; i < equant_comparison_n_signals(comparison); i++) {
        equant_signal signal = {.struct_size = sizeof signal};
        if (equant_comparison_signal(comparison, i, &signal) != EQUANT_SUCCESS ||
            !has_period(comparison, i, signal.n_aliases, period, span_days))
            continue;
        planet->probability = signal.probability;
        planet->false_inclusion = signal.fip;
        return;
    }
    double longest = 1.0 / fmax(1.0 / period - half_per_day, 1e-3 / period);
    if (equant_comparison_fip(comparison, 1.0 / (1.0 / period + half_per_day), longest,
                              &planet->false_inclusion, NULL) == EQUANT_SUCCESS)
        planet->probability = 1.0 - planet->false_inclusion;
}

equant_status equant_fit_take_comparison(equant_fit *fit, const equant_dataset *dataset,
                                         const equant_comparison *comparison)
{
    enum { MOST = sizeof fit->numbers / sizeof fit->numbers[0] };
    if (!fit || !dataset || !comparison)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "sampled probabilities need a fit, its data and a comparison");
    const double *times = equant_dataset_times_days(dataset);
    double span_days = times[equant_dataset_n_obs(dataset) - 1] - times[0];
    for (size_t i = 0; i < fit->n_planets; i++)
        judge(comparison, span_days, &fit->planets[i]);
    size_t most = equant_comparison_max_planets(comparison);
    fit->max_planets = most < MOST ? most : MOST - 1;
    for (size_t n = 0; n <= fit->max_planets; n++)
        fit->numbers[n] = equant_comparison_probability(comparison, n, NULL);
    fit->is_sampled = true;
    fit->chains_agree = equant_comparison_agrees(comparison) != 0;
    return EQUANT_SUCCESS;
}
