#include "astrometry/orbit/sky_verdict.h"

#include <math.h>

#include "astrometry/orbit/sky_false_alarm.h"

double sky_verdict_bic(const sky_ladder *ladder, const sky_solution *own)
{
    size_t n_jitters = 0;
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        n_jitters += own->jitter[group] > 0.0;
    return (double)(sky_solution_n_parameters(own) + n_jitters) * log((double)ladder->data.n_rows) -
           2.0 * own->log_likelihood;
}

double sky_ladder_bic(const sky_ladder *ladder, sky_rung rung)
{
    return sky_verdict_bic(ladder, ladder->rungs + rung);
}

/* Whether the noise level of a solution was found from its residuals: without a jitter it is the
 * stated one. */
static bool has_fitted_noise(const sky_solution *own)
{
    bool has_any = false;
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        has_any = has_any || own->jitter[group] > 0.0;
    return has_any;
}

/* The gain in ln L where the noise level may be any: jitters end at zero, and with it what an orbit
 * that leaves less than the stated errors may gain by them. */
static double free_gain(const sky_ladder *ladder, const sky_solution *found,
                        const sky_solution *base, double gain)
{
    double n = (double)ladder->data.n_rows, left = found->chi_square_before / base->chi_square;
    return left > 0.0 ? fmax(gain, -0.5 * n * log(left)) : gain;
}

/* sqrt(4 pi) times the standard deviation of the times of rows from `first` to before `end`; 0
 * where there are none. */
static double effective_span(const sky_data *data, const sky_solution *base, size_t first,
                             size_t end)
{
    double total = 0.0, mean = 0.0, variance = 0.0;
    for (size_t k = first; k < end; k++) {
        int group = data->group[k] >= 0 ? data->group[k] : 0;
        double weight = pow(hypot(data->uncertainty[k], base->jitter[group]), -2.0);
        total += weight;
        mean += weight * data->time_days[k];
        variance += weight * data->time_days[k] * data->time_days[k];
    }
    mean /= total;
    return end > first ? sqrt(2.0 * SKY_ORBIT_TWO_PI * fmax(variance / total - mean * mean, 0.0))
                       : 0.0;
}

double sky_verdict_chance(const sky_ladder *ladder, const sky_ladder_settings *settings,
                          const sky_solution *base, double gain)
{
    const sky_data *data = &ladder->data;
    const sky_data *apart = settings->as_ccds ? &ladder->means : data;
    size_t n_measured = apart->n_sky + apart->n_velocities;
    const sky_false_alarm search_of = {
        .effective_span_days = fmax(effective_span(apart, base, 0, apart->n_sky),
                                    effective_span(apart, base, apart->n_sky, n_measured)),
        .n_bands = ladder->grid.n_bands,
        .bands = ladder->grid.bands,
        .n_rows = has_fitted_noise(base) ? data->n_rows : 0,
        .n_base = sky_solution_n_parameters(base),
        .n_more_amplitudes = data->n_velocities > 0 ? 2 : 0};
    return sky_false_alarm_probability(&search_of, gain);
}

double sky_verdict_false_alarm(const sky_ladder *ladder, const sky_ladder_settings *settings,
                               const sky_solution *found, const sky_solution *base, double *gain)
{
    *gain = found->log_likelihood - base->log_likelihood;
    return sky_verdict_chance(ladder, settings, base,
                              has_fitted_noise(base) ? free_gain(ladder, found, base, *gain)
                                                     : *gain);
}

bool sky_verdict_is_worth(const sky_ladder *ladder, const sky_ladder_settings *settings,
                          sky_rung rung, sky_rung over)
{
    if (!ladder->is_tried[rung])
        return false;
    const sky_solution *own = ladder->rungs + rung, *base = ladder->rungs + over;
    size_t n_more = sky_solution_n_parameters(own) - sky_solution_n_parameters(base);
    double chance = sky_false_alarm_columns(
        n_more, has_fitted_noise(base) ? ladder->data.n_rows : 0, sky_solution_n_parameters(base),
        own->log_likelihood - base->log_likelihood);
    return chance < settings->false_alarm_max &&
           sky_ladder_bic(ladder, rung) < sky_ladder_bic(ladder, over);
}

double sky_verdict_tie_chance(const sky_ladder *ladder, const sky_solution *tied, double excess)
{
    return isfinite(excess)
               ? sky_false_alarm_columns(2 * tied->n_orbits,
                                         has_fitted_noise(tied) ? ladder->data.n_rows : 0,
                                         sky_solution_n_parameters(tied), 0.5 * excess)
               : NAN;
}

/* The best rung without an orbit. */
static sky_rung best_plain(const sky_ladder *ladder, const sky_ladder_settings *settings)
{
    sky_rung best = SKY_RUNG_5P;
    if (sky_verdict_is_worth(ladder, settings, SKY_RUNG_7P, SKY_RUNG_5P))
        best = SKY_RUNG_7P;
    if (sky_verdict_is_worth(ladder, settings, SKY_RUNG_9P, best))
        best = SKY_RUNG_9P;
    if (sky_verdict_is_worth(ladder, settings, SKY_RUNG_SCAN_ANGLE, SKY_RUNG_5P) &&
        sky_ladder_bic(ladder, SKY_RUNG_SCAN_ANGLE) < sky_ladder_bic(ladder, best))
        best = SKY_RUNG_SCAN_ANGLE;
    return best;
}

static equant_sky_verdict verdict_of(sky_rung rung)
{
    switch (rung) {
    case SKY_RUNG_7P:
        return EQUANT_SKY_7P;
    case SKY_RUNG_9P:
        return EQUANT_SKY_9P;
    case SKY_RUNG_SCAN_ANGLE:
        return EQUANT_SKY_SCAN_ANGLE;
    case SKY_RUNG_ORBIT:
    case SKY_RUNG_ORBIT_SCAN_ANGLE:
        return EQUANT_SKY_ORBIT;
    default:
        return EQUANT_SKY_5P;
    }
}

/* An orbit must be more than noise makes both behind five parameters and behind the harmonics, and
 * better than every model without one. */
void sky_verdict_choose(sky_ladder *ladder, const sky_ladder_settings *settings)
{
    sky_rung plain = best_plain(ladder, settings);
    ladder->chosen = plain;
    ladder->false_alarm = ladder->false_alarm_plain = ladder->false_alarm_scan_angle = NAN;
    ladder->orbit_gain = NAN;
    ladder->verdict = verdict_of(plain);
    if (!ladder->is_tried[SKY_RUNG_ORBIT])
        return;
    sky_rung orbit = SKY_RUNG_ORBIT;
    ladder->false_alarm_plain =
        sky_verdict_false_alarm(ladder, settings, ladder->rungs + SKY_RUNG_ORBIT,
                                ladder->rungs + SKY_RUNG_5P, &ladder->orbit_gain);
    ladder->false_alarm = ladder->false_alarm_plain;
    if (ladder->is_tried[SKY_RUNG_ORBIT_SCAN_ANGLE]) {
        double gain;
        ladder->false_alarm_scan_angle =
            sky_verdict_false_alarm(ladder, settings, ladder->rungs + SKY_RUNG_ORBIT_SCAN_ANGLE,
                                    ladder->rungs + SKY_RUNG_SCAN_ANGLE, &gain);
        ladder->false_alarm = fmax(ladder->false_alarm_plain, ladder->false_alarm_scan_angle);
        if (sky_verdict_is_worth(ladder, settings, SKY_RUNG_SCAN_ANGLE, SKY_RUNG_5P) &&
            sky_ladder_bic(ladder, SKY_RUNG_ORBIT_SCAN_ANGLE) + 10.0 <
                sky_ladder_bic(ladder, SKY_RUNG_ORBIT)) {
            orbit = SKY_RUNG_ORBIT_SCAN_ANGLE;
            ladder->orbit_gain = gain;
            ladder->false_alarm = ladder->false_alarm_scan_angle;
        }
    }
    bool is_better = sky_ladder_bic(ladder, orbit) < sky_ladder_bic(ladder, plain);
    if (settings->has_orbit || (ladder->false_alarm < settings->false_alarm_max && is_better))
        ladder->chosen = orbit;
    ladder->verdict = verdict_of(ladder->chosen);
}
