/* The planets of a star: from options to planet_finder, and from what it found to a record. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/fit/fit_course.h"
#include "inference/fit/fit_model.h"
#include "inference/fit/fit_options.h"
#include "inference/fit/fit_planets.h"
#include "inference/interaction/interaction_remark.h"
#include "inference/fit/fit_rotation.h"
#include "inference/optimise/noise_period.h"
#include "inference/search/gpu_warmup.h"
#include "inference/priors/stated_noise.h"
#include "inference/likelihood/set_likelihood.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_fit_options, member)

static double rms(size_t n, const double *values)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += values[k] * values[k];
    return sqrt(sum / (double)n);
}

/* What the solution predicts and leaves at each observation. */
static equant_status keep_residuals(study *star, const solution *best, equant_fit *fit)
{
    const study_shape shape = solution_shape(best);
    fit->velocities_m_s = malloc(star->n_obs * sizeof *fit->velocities_m_s);
    fit->residuals_m_s = malloc(star->n_obs * sizeof *fit->residuals_m_s);
    if (!fit->velocities_m_s || !fit->residuals_m_s)
        return status_out_of_memory();
    set_likelihood_results results = {.velocities = fit->velocities_m_s,
                                      .residuals = fit->residuals_m_s};
    return set_likelihood_evaluate(star, &shape, best->set, &results);
}

static equant_fit_summary summarize(const study *star, const planet_finder_result *finding,
                                    size_t n_fixed, const double *residuals_m_s)
{
    const solution *best = &finding->best;
    return (equant_fit_summary){
        .struct_size = sizeof(equant_fit_summary),
        .n_obs = star->n_obs,
        .n_fitted = solution_n_fitted(star, best, n_fixed),
        .chi_square = best->chi_square,
        .log_likelihood = best->log_likelihood,
        .bic = solution_bic(star, best, n_fixed),
        .rms_m_s = rms(star->n_obs, residuals_m_s),
        .reference_time_days = star->reference_time_days,
        .log_likelihood_without_planets = finding->without_planets.log_likelihood,
        .bic_without_planets = solution_bic(star, &finding->without_planets, 0),
        .period_min_days = star->period_min_days,
        .period_max_days = star->period_max_days,
    };
}

/* Planets that states name are there, and the finder begins with those whose periods are known. */
static equant_status begin_with_states(study *star, const equant_fit_options *options,
                                       planet_finder_options *wanted, stated_star *stated)
{
    static const equant_states nothing = {.n = 0};
    const equant_states *states = OPTION(states);
    basis_words basis = {.has_shape = false};
    (void)basis_words_read(OPTION(basis), &basis); /* it was checked */
    *stated = (stated_star){.states = NULL};
    if (equant_states_n(states) == 0 && equant_states_n_planets(states) == 0) {
        if (OPTION(basis))
            *stated = (stated_star){.states = &nothing, .basis = basis};
        return EQUANT_SUCCESS;
    }
    state_list_remark_clock(states, star->dataset, &star->menu.remarks);
    int trend = state_list_trend(states), n_stated = (int)equant_states_n_planets(states);
    if (trend >= 0)
        wanted->trend = trend_order_name(trend);
    equant_status status = stated_star_begin(
        star, states, host_star_of(OPTION(star), OPTION(star_mass)).value[STAR_MASS], &basis,
        trend_order_of(wanted->trend), stated);
    if (n_stated > 0 && wanted->n_planets < n_stated)
        wanted->n_planets = n_stated;
    wanted->n_known = wanted->n_fixed = stated->n_located;
    wanted->known = stated->located;
    return status;
}

/* Everything that was said counts, and what the finder thought of planets that were given does
 * not. */
static equant_status end_with_states(study *star, stated_star *stated,
                                     planet_finder_result *finding)
{
    if (!stated->states)
        return EQUANT_SUCCESS;
    stated_star_name(&finding->best, stated);
    stated_noise_remark(stated->states, finding->best.noise, star);
    for (size_t p = 0; p < stated->n_located; p++)
        finding->false_alarm[p] = finding->log_odds[p] = NAN;
    return stated_star_finish(star, stated, &finding->best, &finding->without_planets,
                              finding->gain, finding->gain_bic);
}

static bool keeps_partial(const study *star, const equant_fit_options *options)
{
    return OPTION(keeps_partial) || star->is_late;
}

/* What was found before a fit was cut off is left as it is, and said to be so. */
static void note_end(study *star, const equant_fit_options *options,
                     const planet_finder_result *finding, equant_fit *fit)
{
    fit->summary.end = finding->is_out_of_time ? EQUANT_FIT_SECONDS
                       : finding->is_partial   ? EQUANT_FIT_CANCELLED
                                               : EQUANT_FIT_FINISHED;
    const char *stage = star->stage[0] ? star->stage : "looking for planets";
    if (finding->is_partial)
        remarks_add(&star->menu.remarks,
                    "%s while %s: what was found until then is not judged to the end, and there "
                    "may be more planets.",
                    star->is_late ? "The time that was given was over" : "The fit was interrupted",
                    stage);
    if (keeps_partial(star, options))
        study_go_on(star);
}

/* The same where states count. A fit that is cut off here takes what the finder has found. */
static equant_status finish_with_states(study *star, const equant_fit_options *options,
                                        stated_star *stated, planet_finder_result *finding)
{
    solution found = {.set = NULL};
    equant_status status = solution_create(star, &found);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, &finding->best, &found);
    stated->is_hurried = finding->is_partial;
    if (finding->is_partial)
        study_go_on(star);
    status = end_with_states(star, stated, finding);
    if (status == EQUANT_ERROR_CANCELLED && keeps_partial(star, options)) {
        study_go_on(star);
        solution_copy(star, &found, &finding->best);
        stated->is_hurried = finding->is_partial = true;
        finding->is_out_of_time = finding->is_out_of_time || star->is_late;
        status = end_with_states(star, stated, finding);
    }
    solution_free(&found);
    return status;
}

/* Whether the rotation of the noise is one. A fit that is cut off here does not know. */
static equant_status judge_rotation(study *star, const equant_fit_options *options, size_t n_fixed,
                                    planet_finder_result *finding, fit_noise *noise)
{
    noise->rotation_probability = NAN;
    if (finding->is_partial)
        return EQUANT_SUCCESS;
    equant_status status =
        noise_period_probability(star, n_fixed, &finding->best, &noise->rotation_probability);
    if (status != EQUANT_ERROR_CANCELLED || !keeps_partial(star, options))
        return status;
    study_go_on(star);
    noise->rotation_probability = NAN;
    finding->is_partial = true;
    finding->is_out_of_time = finding->is_out_of_time || star->is_late;
    return EQUANT_SUCCESS;
}

/* Masses of planets whose inclination states know. */
static void weigh_planets(const equant_states *states, const host_star *host, equant_fit *fit)
{
    for (size_t p = 0; p < fit->n_planets; p++) {
        const equant_planet *own = &fit->planets[p];
        double error, inclination = equant_states_inclination_deg(states, fit->letters[p], &error);
        fit->masses_jupiter[p][0] = equant_planet_mass_jupiter(
            host->value[STAR_MASS], own->m_sin_i_jupiter, own->m_sin_i_jupiter_err, inclination,
            error, &fit->masses_jupiter[p][1]);
    }
}

static equant_status remark_interaction(study *star, const solution *best, double star_mass,
                                        equant_fit *fit)
{
    double eccentricity_err[STUDY_MAX_PLANETS];
    for (size_t p = 0; p < best->n_planets; p++)
        eccentricity_err[p] = p < fit->n_planets ? fit->planets[p].eccentricity_err : 0.0;
    return interaction_remark(star, best, star_mass, eccentricity_err, &fit->noise.remarks);
}

static equant_status fit_star(study *star, const equant_fit_options *options, bool is_alone,
                              double began_s, equant_fit *fit)
{
    planet_finder_options wanted = fit_options_of_finder(options);
    const double spent_s = wall_clock_s() - began_s; /* on what is learnt from indicators */
    wanted.deadline_s -= spent_s;
    wanted.end_s -= spent_s;
    double known[STUDY_MAX_PLANETS * N_ELEMENTS];
    stated_star stated;
    if (wanted.n_known > 0)
        memcpy(known, wanted.known, wanted.n_known * N_ELEMENTS * sizeof *known);
    study_orbits_to_epoch(star, wanted.n_known, known);
    wanted.known = known;
    host_star host = host_star_of(OPTION(star), OPTION(star_mass));
    equant_status status = begin_with_states(star, options, &wanted, &stated);
    if (status != EQUANT_SUCCESS)
        return status;
    stated.is_alone = is_alone;
    planet_finder_result finding;
    bool is_fixed[STUDY_MAX_PLANETS + 1] = {false}, none_fixed[STUDY_MAX_PLANETS + 1] = {false};
    for (size_t p = 0; p < wanted.n_fixed; p++)
        is_fixed[p] = none_fixed[p] = true;
    status = planet_finder_run(star, &wanted, &finding);
    if (status != EQUANT_SUCCESS)
        return status;
    if (finding.is_partial)
        study_go_on(star);
    status = fit_planets_keep_candidate(star, &finding, none_fixed, &host, fit);
    if (status == EQUANT_SUCCESS)
        status = finish_with_states(star, options, &stated, &finding);
    if (status == EQUANT_SUCCESS)
        status = judge_rotation(star, options, wanted.n_fixed, &finding, &fit->noise);
    note_end(star, options, &finding, fit);
    fit_planets_sort(&finding, is_fixed, stated.letters);
    if (status == EQUANT_SUCCESS)
        status = keep_residuals(star, &finding.best, fit);
    if (status == EQUANT_SUCCESS)
        status = fit_outliers_create(star, &finding.best, &fit->outliers);
    if (status == EQUANT_SUCCESS)
        status = fit_planets_keep(star, &finding, is_fixed, &stated, options, fit);
    if (status == EQUANT_SUCCESS && !finding.is_partial)
        status = remark_interaction(star, &finding.best, host.value[STAR_MASS], fit);
    if (status == EQUANT_SUCCESS)
        fit_planets_count(&finding, !wanted.no_probabilities && !finding.is_partial, fit);
    const equant_fit_end end = fit->summary.end;
    if (status == EQUANT_SUCCESS)
        fit->summary = summarize(star, &finding, wanted.n_fixed, fit->residuals_m_s);
    fit->summary.end = end;
    if (status == EQUANT_SUCCESS && stated.states) {
        fit->summary.n_fitted = stated.found.n_free;
        fit->summary.bic = stated_star_bic(star, &finding.best, &stated.found);
        fit->summary.bic_without_planets = stated.bic_without_planets;
    }
    if (status == EQUANT_SUCCESS)
        fit_rotation_caution(star, &finding, fit->summary.n_fitted, &fit->noise);
    for (size_t p = 0; p < fit->n_planets; p++)
        fit->letters[p] = stated.states ? stated.letters[p] : (char)(STATE_FIRST_LETTER + (int)p);
    fit->has_letters = OPTION(states) != NULL;
    if (status == EQUANT_SUCCESS)
        weigh_planets(OPTION(states), &host, fit);
    planet_finder_free(&finding);
    return status;
}

/* A caller of equant_fit_star, who is told how far all of the fit is. */
typedef struct fit_listener {
    fit_course course;
    equant_progress progress;
    void *context;
} fit_listener;

static int tell_of_all(const equant_progress_report *report, void *context)
{
    fit_listener *listener = context;
    equant_progress_report whole = *report;
    fit_course_reach(&listener->course, report->stage, wall_clock_s(), &whole.call_done,
                     &whole.seconds_left);
    return listener->progress(&whole, listener->context);
}

equant_status equant_fit_star(const equant_dataset *dataset, const equant_fit_options *options,
                              equant_fit **out)
{
    equant_fit_options told;
    fit_listener listener = {.progress = OPTION(progress), .context = OPTION(progress_context)};
    if (listener.progress) {
        OPTIONS_TAKE(told, options);
        told.struct_size = sizeof told;
        listener.course = fit_course_begin(options, wall_clock_s());
        told.progress = tell_of_all;
        told.progress_context = &listener;
        options = &told;
    }
    return fit_model(dataset, options, false, out);
}

equant_status fit_model(const equant_dataset *dataset, const equant_fit_options *options,
                        bool is_alone, equant_fit **out)
{
    if (!dataset || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit needs a data set and a place to put it");
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = fit_options_check(dataset, options);
    if (status != EQUANT_SUCCESS)
        return status;
    const double began_s = wall_clock_s();
    const study_options kept = fit_options_of_study(options);
    study star;
    equant_fit *fit = calloc(1, sizeof *fit);
    if (!fit)
        return status_out_of_memory();
    status = study_create(&star, dataset, &kept);
    if (status == EQUANT_SUCCESS)
        status = stated_noise_narrow(OPTION(states), &star);
    gpu_warmup *opening = status == EQUANT_SUCCESS
                              ? gpu_warmup_begin(NULL, &star.scan_engine, star.n_instruments)
                              : NULL;
    if (status == EQUANT_SUCCESS)
        status = fit_star(&star, options, is_alone, began_s, fit);
    gpu_warmup_end(opening);
    study_free(&star);
    if (status != EQUANT_SUCCESS) {
        equant_fit_free(fit);
        return status;
    }
    *out = fit;
    return EQUANT_SUCCESS;
}
