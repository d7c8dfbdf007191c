/* The public equant_sky_fit: nested models from five parameters to an orbit, and their results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/sky_elements.h"
#include "astrometry/orbit/sky_fit_settings.h"
#include "astrometry/orbit/sky_ladder.h"
#include "astrometry/orbit/sky_rules.h"
#include "astrometry/solution/column_solution.h"
#include "core/status_fail.h"

enum { WORDS_LENGTH = 960 };

struct equant_sky_fit {
    sky_ladder ladder;
    double reference_jd, goodness;
    double star_mass, star_mass_err, parallax_zero_point, false_alarm_max;
    double *time_days, *residual, *uncertainty; /* [n_rows] */
    char words[WORDS_LENGTH], flags[SKY_RULES_LENGTH];
};

const char *equant_sky_verdict_name(equant_sky_verdict verdict)
{
    switch (verdict) {
    case EQUANT_SKY_7P:
        return "7p";
    case EQUANT_SKY_9P:
        return "9p";
    case EQUANT_SKY_ORBIT:
        return "orbit";
    case EQUANT_SKY_SCAN_ANGLE:
        return "scan_angle";
    default:
        return "5p";
    }
}

static const sky_solution *chosen(const equant_sky_fit *fit)
{
    return fit->ladder.rungs + fit->ladder.chosen;
}

static equant_status find_residuals(equant_sky_fit *fit)
{
    const sky_data *data = &fit->ladder.data;
    sky_design design;
    size_t n = data->n_rows;
    equant_status status = sky_design_create(data, &chosen(fit)->model, &design);
    fit->time_days = malloc(3 * (n + 1) * sizeof *fit->time_days);
    if (status == EQUANT_SUCCESS && fit->time_days == NULL)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        double plain[SKY_DATA_MAX_GROUPS] = {0.0}, sum = 0.0;
        fit->residual = fit->time_days + n + 1;
        fit->uncertainty = fit->residual + n + 1;
        memcpy(fit->time_days, data->time_days, n * sizeof *fit->time_days);
        sky_design_fill(&design, chosen(fit), 0, NULL, fit->residual);
        sky_design_weigh(&design, plain, fit->uncertainty);
        for (size_t k = 0; k < n; k++)
            sum += pow(fit->residual[k] * fit->uncertainty[k], 2.0);
        fit->goodness =
            sky_rules_goodness(sum, (double)n - (double)sky_solution_n_parameters(chosen(fit)));
        sky_design_weigh(&design, chosen(fit)->jitter, fit->uncertainty);
        for (size_t k = 0; k < n; k++)
            fit->uncertainty[k] = 1.0 / fit->uncertainty[k];
    }
    sky_design_free(&design);
    return status;
}

/* What the models leave, where an orbit was tried. */
static void add_rivals(const equant_sky_fit *fit, size_t length, char *words)
{
    static const char *const names[N_SKY_RUNGS] = {
        "5 parameters",          "7", "9", "harmonics of the scan angle", "an orbit",
        "an orbit and harmonics"};
    const sky_ladder *ladder = &fit->ladder;
    const char *before = " Chi-square is";
    for (int rung = 0; rung < N_SKY_RUNGS && length < WORDS_LENGTH; rung++) {
        bool is_told = rung == SKY_RUNG_5P || rung == SKY_RUNG_SCAN_ANGLE ||
                       rung == SKY_RUNG_ORBIT || rung == (int)ladder->chosen;
        if (!is_told || !ladder->is_tried[rung])
            continue;
        int n = snprintf(words + length, WORDS_LENGTH - length, "%s %.1f with %s", before,
                         ladder->chi_square[rung], names[rung]);
        length += n > 0 ? (size_t)n : 0;
        before = ",";
    }
    if (length < WORDS_LENGTH)
        snprintf(words + length, WORDS_LENGTH - length, ".");
}

/* Velocities that are not those of the orbit on the sky, by more than noise makes. */
static void add_disagreement(const equant_sky_fit *fit, char *words)
{
    const sky_ladder *ladder = &fit->ladder;
    size_t length = strlen(words);
    if (ladder->is_tied && ladder->tie_chance < fit->false_alarm_max)
        snprintf(words + length, WORDS_LENGTH - length,
                 " Sky and velocities disagree: with one orbit of a dark companion for both, "
                 "chi-square is larger by %.1f than with velocities of their own amplitude, which "
                 "noise does with probability %.1e.",
                 ladder->tie_excess, ladder->tie_chance);
}

static void find_words(equant_sky_fit *fit)
{
    const double smallest_told = 1e-99;
    const sky_ladder *ladder = &fit->ladder;
    int n = 0;
    switch (ladder->verdict) {
    case EQUANT_SKY_ORBIT:
        n = snprintf(fit->words, WORDS_LENGTH,
                     ladder->false_alarm < fit->false_alarm_max
                         ? "The %s is on an orbit: noise alone would make one as good with "
                           "probability %s%.1e."
                         : "The orbit of the %s is shown because it was asked for: noise alone "
                           "would make one as good with probability %s%.2g.",
                     sky_data_has_star(&ladder->data) ? "star" : "companion",
                     ladder->false_alarm < smallest_told ? "below " : "",
                     fmax(ladder->false_alarm, smallest_told));
        break;
    case EQUANT_SKY_SCAN_ANGLE:
        n = snprintf(fit->words, WORDS_LENGTH,
                     "What is left follows the angle of the scan and not an orbit: a pair that is "
                     "hardly resolved, or the instrument.");
        break;
    case EQUANT_SKY_7P:
    case EQUANT_SKY_9P:
        n = snprintf(fit->words, WORDS_LENGTH,
                     "The proper motion changes: a companion whose orbit is longer than the data, "
                     "or too weak to be told.");
        break;
    default:
        n = snprintf(fit->words, WORDS_LENGTH, "Position, parallax and proper motion are enough%s.",
                     ladder->is_tried[SKY_RUNG_ORBIT] ? ""
                     : ladder->is_partial             ? "; orbits were not looked for"
                                                      : "; the data are too few for an orbit");
        if (ladder->is_tried[SKY_RUNG_ORBIT])
            n = snprintf(fit->words, WORDS_LENGTH,
                         "Position, parallax and proper motion are enough: noise makes an orbit as "
                         "good as the best with probability %.2g.",
                         ladder->false_alarm);
    }
    if (ladder->verdict != EQUANT_SKY_5P && n > 0 && n < WORDS_LENGTH)
        add_rivals(fit, (size_t)n, fit->words);
    add_disagreement(fit, fit->words);
}

static equant_sky_companion companion_of(const equant_sky_fit *fit, size_t index)
{
    return sky_elements_tell(chosen(fit), index, fit->reference_jd, fit->parallax_zero_point,
                             fit->star_mass, fit->star_mass_err);
}

static void find_flags(equant_sky_fit *fit)
{
    if (chosen(fit)->n_orbits == 0)
        return;
    equant_sky_companion companion = companion_of(fit, 0);
    double error, parallax = sky_solution_column(chosen(fit), "parallax", &error);
    sky_limits limits = sky_grid_limits(&fit->ladder.grid, companion.period_days);
    sky_rules_flags(&fit->ladder.data, &limits, &companion, parallax / error, fit->goodness,
                    fit->flags);
}

equant_status equant_sky_fit_create(const equant_astrometry *source,
                                    const equant_sky_fit_options *options, equant_sky_fit **fit)
{
    sky_ladder_settings settings;
    if (source == NULL || fit == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a source and a place for its fit are needed");
    equant_status status = sky_fit_settings(options, &settings);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_fit *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    made->reference_jd = equant_astrometry_reference_jd(source);
    made->star_mass = OPTION_OR_ZERO(options, equant_sky_fit_options, star_mass);
    made->star_mass_err = OPTION_OR_ZERO(options, equant_sky_fit_options, star_mass_err);
    made->parallax_zero_point = settings.parallax_zero_point_mas;
    made->false_alarm_max = settings.false_alarm_max;
    status = sky_ladder_fit(source, OPTION_OR_ZERO(options, equant_sky_fit_options, velocities),
                            &settings, &made->ladder);
    if (status == EQUANT_SUCCESS)
        status = find_residuals(made);
    if (status != EQUANT_SUCCESS) {
        equant_sky_fit_free(made);
        return status;
    }
    find_words(made);
    find_flags(made);
    *fit = made;
    return EQUANT_SUCCESS;
}

void equant_sky_fit_free(equant_sky_fit *fit)
{
    if (fit == NULL)
        return;
    sky_ladder_free(&fit->ladder);
    free(fit->time_days);
    free(fit);
}

equant_status equant_sky_fit_summarize(const equant_sky_fit *fit, equant_sky_summary *summary)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky fit");
    const sky_ladder *ladder = &fit->ladder;
    const sky_solution *own = chosen(fit);
    equant_sky_summary known = {
        .verdict = ladder->verdict,
        .n_rows = ladder->data.n_sky + ladder->data.n_velocities,
        .n_transits = ladder->data.n_transits,
        .n_companions = own->n_orbits,
        .span_days = ladder->data.span_days,
        .reference_jd = fit->reference_jd,
        .jitter_mas = own->jitter[0],
        .chi_square = own->chi_square,
        .log_likelihood = own->log_likelihood,
        .gain = ladder->orbit_gain,
        .false_alarm = ladder->false_alarm,
        .false_alarm_plain = ladder->false_alarm_plain,
        .false_alarm_scan_angle = ladder->false_alarm_scan_angle,
        .goodness_f2 = fit->goodness,
        .velocity_jitter_m_s = ladder->data.n_velocities > 0 ? own->jitter[1] : NAN,
        .is_tied = ladder->is_tied,
        .tie_excess = ladder->is_tied ? ladder->tie_excess : NAN,
        .tie_chance = ladder->is_tied ? ladder->tie_chance : NAN,
        .gain_sky = ladder->part_gain[0],
        .gain_velocities = ladder->part_gain[1],
        .n_motions = ladder->data.n_motions > 0 ? SKY_MOTION_ROWS - 1 : 0,
        .end = ladder->is_partial ? EQUANT_FIT_CANCELLED : EQUANT_FIT_FINISHED};
    equant_status status = OPTIONS_CHECK(summary);
    if (status != EQUANT_SUCCESS)
        return status;
    known.parallax_mas = sky_solution_column(own, "parallax", &known.parallax_mas_err);
    if (own->lacks_parallax)
        known.parallax_mas = known.parallax_mas_err = NAN;
    known.pm_ra_mas_yr = sky_solution_column(own, "pm_ra", &known.pm_ra_mas_yr_err);
    known.pm_dec_mas_yr = sky_solution_column(own, "pm_dec", &known.pm_dec_mas_yr_err);
    OPTIONS_FILL(known, summary);
    return EQUANT_SUCCESS;
}

const char *equant_sky_fit_words(const equant_sky_fit *fit)
{
    return fit ? fit->words : NULL;
}

const char *equant_sky_fit_flags(const equant_sky_fit *fit)
{
    return fit ? fit->flags : NULL;
}

size_t equant_sky_fit_n_models(const equant_sky_fit *fit)
{
    if (!fit)
        return 0;
    size_t n = 0;
    for (int rung = 0; rung < N_SKY_RUNGS; rung++)
        n += fit->ladder.is_tried[rung];
    return n;
}

equant_status equant_sky_fit_model(const equant_sky_fit *fit, size_t index, equant_sky_model *model)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky fit");
    const sky_ladder *ladder = &fit->ladder;
    equant_status status = OPTIONS_CHECK(model);
    for (int rung = 0; rung < N_SKY_RUNGS && status == EQUANT_SUCCESS; rung++) {
        const sky_solution *own = ladder->rungs + rung;
        if (!ladder->is_tried[rung] || index-- != 0)
            continue;
        equant_sky_model known = {.name = sky_rung_name((sky_rung)rung),
                                  .n_parameters = sky_solution_n_parameters(own),
                                  .chi_square = ladder->chi_square[rung],
                                  .log_likelihood = own->log_likelihood,
                                  .bic = sky_ladder_bic(ladder, (sky_rung)rung),
                                  .jitter_mas = own->jitter[0]};
        OPTIONS_FILL(known, model);
        return EQUANT_SUCCESS;
    }
    return status != EQUANT_SUCCESS
               ? status
               : status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no such model");
}

equant_status equant_sky_fit_solution(const equant_sky_fit *fit, equant_sky_solution **solution)
{
    if (!fit || !solution)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a solution needs a sky fit and a place for it");
    return column_solution_create(chosen(fit), fit->ladder.data.n_rows, solution);
}

equant_status equant_sky_fit_companion(const equant_sky_fit *fit, size_t index,
                                       equant_sky_companion *companion)
{
    if (!fit)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky fit");
    equant_status status = OPTIONS_CHECK(companion);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index >= chosen(fit)->n_orbits)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no such companion");
    equant_sky_companion known = companion_of(fit, index);
    known.gain = fit->ladder.companion_gain[index];
    known.false_alarm = fit->ladder.companion_false_alarm[index];
    OPTIONS_FILL(known, companion);
    return EQUANT_SUCCESS;
}

equant_status equant_sky_fit_residuals(const equant_sky_fit *fit, size_t *n_sky,
                                       const double **time_days, const double **residual,
                                       const double **uncertainty)
{
    if (n_sky != NULL)
        *n_sky = fit->ladder.data.n_sky;
    if (time_days != NULL)
        *time_days = fit->time_days;
    if (residual != NULL)
        *residual = fit->residual;
    if (uncertainty != NULL)
        *uncertainty = fit->uncertainty;
    return EQUANT_SUCCESS;
}
