/* The planets of a star: from options to planet_finder, and from what it found to a record. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model.h"
#include "core/status.h"
#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/find/fit_record.h"
#include "inference/find/period_limit.h"
#include "inference/find/planet_finder.h"
#include "inference/odds/planet_odds.h"
#include "inference/scan/card_opening.h"
#include "inference/states/stated_noise.h"
#include "inference/states/stated_star.h"
#include "inference/study/likelihood/set_likelihood.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_fit_options, member)

equant_status equant_fit_check_noise(const char *noise)
{
    noise_term terms[NOISE_TEXT_MOST_TERMS];
    size_t n_terms;
    if (!noise || strcmp(noise, "white") == 0 || strcmp(noise, "auto") == 0)
        return EQUANT_SUCCESS;
    return noise_menu_read(noise, terms, &n_terms);
}

equant_status equant_fit_check_outliers(const char *outliers)
{
    bool is_open;
    double share;
    return outlier_book_read(outliers, &is_open, &share);
}

static equant_status check_noise(const char *noise, bool no_jitter)
{
    if (!noise || strcmp(noise, "white") == 0)
        return EQUANT_SUCCESS;
    if (strcmp(noise, "auto") != 0)
        return equant_fit_check_noise(noise);
    if (no_jitter)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise 'auto' is chosen beside jitters: a fit without jitters has "
                           "white noise");
    return EQUANT_SUCCESS;
}

/* What states go with. */
static equant_status check_states(const equant_dataset *dataset, const equant_fit_options *options)
{
    const equant_states *states = OPTION(states);
    if (!states)
        return EQUANT_SUCCESS;
    if (OPTION(n_known) > 0 || OPTION(method) != EQUANT_FIT_SCAN)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit with states takes planets from them, not from a start or from "
                           "differential evolution");
    if (OPTION(n_planets) < 0 && equant_states_n_planets(states) > 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no planets leave no room for those that the states name");
    if (OPTION(indicators_as_series))
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "a fit with states has indicators as columns, not as series");
    const host_star host = host_star_of(OPTION(star), OPTION(star_mass));
    return state_list_check_star(states, dataset, host_star_has_mass(&host));
}

/* A basis is one of the climb that everything ends with. */
static equant_status check_basis(const equant_fit_options *options)
{
    basis_words words;
    if (OPTION(basis) && (OPTION(n_fixed) > 0 || OPTION(indicators_as_series)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a basis goes neither with fixed planets nor with series of indicators");
    return basis_words_read(OPTION(basis), &words);
}

static equant_status check_options(const equant_dataset *dataset, const equant_fit_options *options)
{
    size_t n_known = OPTION(n_known), n_fixed = OPTION(n_fixed);
    int n_planets = OPTION(n_planets), max_planets = OPTION(max_planets);
    double alarm = OPTION(false_alarm_max), e = OPTION(eccentricity_max);
    double probability = OPTION(probability_min);
    if (n_planets < -1 || n_planets > STUDY_MAX_PLANETS || max_planets < 0 ||
        max_planets > STUDY_MAX_PLANETS || n_known > STUDY_MAX_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a fit takes 0 to %d planets",
                           STUDY_MAX_PLANETS);
    if (n_fixed > n_known || (n_known > 0 && !OPTION(known)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "fixed planets must be among the known ones");
    if (OPTION(method) != EQUANT_FIT_SCAN && OPTION(method) != EQUANT_FIT_DE)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no method %d",
                           (int)OPTION(method));
    if (n_fixed > 0 && OPTION(method) == EQUANT_FIT_DE)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "differential evolution moves all planets: it cannot keep some");
    if (!(alarm >= 0.0 && alarm <= 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a false-alarm probability lies between 0 and 1, not at %g", alarm);
    if (!(probability >= 0.0 && probability < 1.0))
        return status_fail(
            EQUANT_ERROR_INVALID_ARGUMENT,
            "the probability that a planet must have lies between 0 and 1, not at %g", probability);
    if (!(OPTION(budget_s) >= 0.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a budget of time is positive, or 0 for none, not %g s",
                           OPTION(budget_s));
    if (!(e >= 0.0 && e <= 0.95))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "eccentricities can be searched up to 0.95, not %g", e);
    if (!(OPTION(star_mass) >= 0.0) || !isfinite(OPTION(star_mass)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a star's mass must be positive");
    if (equant_star_check(OPTION(star)) != EQUANT_SUCCESS)
        return EQUANT_ERROR_INVALID_ARGUMENT;
    if (equant_dataset_n_obs(dataset) <= equant_dataset_n_instruments(dataset))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit needs more observations than instruments, not %zu and %zu",
                           equant_dataset_n_obs(dataset), equant_dataset_n_instruments(dataset));
    equant_status status = check_noise(OPTION(noise), OPTION(no_jitter) != 0);
    if (status == EQUANT_SUCCESS)
        status = check_states(dataset, options);
    if (status == EQUANT_SUCCESS)
        status = check_basis(options);
    if (status == EQUANT_SUCCESS)
        status = equant_fit_check_outliers(OPTION(outliers));
    if (status == EQUANT_SUCCESS)
        status = trend_order_check(OPTION(trend));
    return status == EQUANT_SUCCESS ? study_check_planets(n_known, OPTION(known)) : status;
}

static planet_finder_options planet_finder_options_of(const equant_fit_options *options)
{
    return (planet_finder_options){
        .method = OPTION(method),
        .n_planets = OPTION(n_planets),
        .max_planets = OPTION(max_planets) > 0 ? (size_t)OPTION(max_planets) : 10,
        .false_alarm_max = OPTION(false_alarm_max) > 0.0 ? OPTION(false_alarm_max) : 1e-3,
        .probability_min = OPTION(probability_min),
        .eccentricity_max = OPTION(eccentricity_max) > 0.0 ? OPTION(eccentricity_max) : 0.9,
        .trend = OPTION(trend),
        .n_known = OPTION(n_known),
        .n_fixed = OPTION(n_fixed),
        .known = OPTION(known),
        .seed = OPTION(seed),
        .deadline_s = OPTION(budget_s) > 0.0 ? wall_clock_s() + OPTION(budget_s) : INFINITY,
    };
}

/* Planets by period, with everything that is kept per planet. */
static void sort_planets(planet_finder_result *finding, bool *is_fixed, char *letters)
{
    solution *best = &finding->best;
    for (size_t i = 1; i < best->n_planets; i++)
        for (size_t j = i; j > 0 && best->set[N_ELEMENTS * j] < best->set[N_ELEMENTS * (j - 1)];
             j--) {
            double kept[N_ELEMENTS], *a = best->set + N_ELEMENTS * j, *b = a - N_ELEMENTS;
            memcpy(kept, a, sizeof kept);
            memcpy(a, b, sizeof kept);
            memcpy(b, kept, sizeof kept);
            double *figures[] = {finding->gain, finding->gain_bic, finding->false_alarm,
                                 finding->log_odds, finding->bound_days};
            for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++) {
                double value = figures[k][j];
                figures[k][j] = figures[k][j - 1];
                figures[k][j - 1] = value;
            }
            alias_family family = finding->families[j];
            finding->families[j] = finding->families[j - 1];
            finding->families[j - 1] = family;
            orbit_range range = finding->ranges[j];
            finding->ranges[j] = finding->ranges[j - 1];
            finding->ranges[j - 1] = range;
            planet_absences_swap(&finding->together, j, j - 1);
            bool fixed = is_fixed[j];
            is_fixed[j] = is_fixed[j - 1];
            is_fixed[j - 1] = fixed;
            char letter = letters[j];
            letters[j] = letters[j - 1];
            letters[j - 1] = letter;
        }
}

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

/* A period at a limit has no error, nor has the axis that follows from it. */
static void drop_errors(equant_limit at_limit, quantity_estimate estimates[QUANTITIES_MOST])
{
    static const char *const names[] = {"period_days", "a_au"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && at_limit != EQUANT_LIMIT_NONE; i++)
        estimates[quantity_catalogue_index(quantity_catalogue_find(names[i]))].error = NAN;
}

/* The planet with this period; n_planets where there is none any more. */
static size_t planet_of_period(const solution *best, double period_days)
{
    const double near = 1e-3;
    size_t p = 0;
    while (p < best->n_planets && !(fabs(best->set[N_ELEMENTS * p] / period_days - 1.0) < near))
        p++;
    return p;
}

/* Pairs of aliases of planets that are still there. */
static void keep_pairs(const planet_finder_result *finding, equant_fit *fit)
{
    for (size_t i = 0; i < finding->pairs.n; i++) {
        const alias_pair *own = &finding->pairs.list[i];
        equant_alias_pair made = {.first = planet_of_period(&finding->best, own->own_days[0]),
                                  .second = planet_of_period(&finding->best, own->own_days[1]),
                                  .first_period_days = own->other_days[0],
                                  .second_period_days = own->other_days[1],
                                  .probability = own->probability,
                                  .delta_lnl = own->delta_lnl};
        if (made.first < finding->best.n_planets && made.second < finding->best.n_planets)
            fit->pairs[fit->n_pairs++] = made;
    }
}

/* Planets and quantities from a solution whose parameters and covariance the fit has already. */
static equant_status keep_quantities(const study *star, const planet_finder_result *finding,
                                     const bool *is_fixed, const uncertainty *known,
                                     const host_star *host, equant_fit *fit)
{
    const solution *best = &finding->best;
    quantity_estimate estimates[STUDY_MAX_PLANETS][QUANTITIES_MOST];
    for (size_t p = 0; p < best->n_planets; p++) {
        equant_limit at_limit =
            is_fixed[p] ? EQUANT_LIMIT_NONE : period_limit_of(star, best->set[N_ELEMENTS * p]);
        uncertainty_planet(star, best, known, p, host, estimates[p]);
        drop_errors(at_limit, estimates[p]);
        fit->planets[p] = fit_quantities_planet(estimates[p]);
        fit->planets[p].at_limit = at_limit;
        fit->planets[p].period_days_bound = finding->bound_days[p];
        fit->planets[p].false_alarm = finding->false_alarm[p];
        fit->planets[p].log_likelihood_gain = finding->gain[p];
        fit->planets[p].delta_bic = finding->gain_bic[p];
        fit->families[p] = finding->families[p];
        const orbit_range *range = &finding->ranges[p];
        fit->planets[p].k_m_s_low = range->k_m_s[0];
        fit->planets[p].k_m_s_high = range->k_m_s[1];
        fit->planets[p].eccentricity_low = range->eccentricity[0];
        fit->planets[p].eccentricity_high = range->eccentricity[1];
    }
    keep_pairs(finding, fit);
    fit_quantities_source source = {.shape = {fit->model->layout, *host, .is_of_fit = true},
                                    .planets = estimates,
                                    .parameters = fit->parameters,
                                    .covariance = fit->covariance};
    return fit_quantities_create(&source, &fit->quantities);
}

/* Planets that were to be kept have the m0 that they came with, to the bit. */
static void restore_fixed(const study *star, const equant_fit_options *options,
                          const bool *is_fixed, solution *best)
{
    for (size_t p = 0; p < best->n_planets; p++)
        for (size_t i = 0; is_fixed[p] && i < OPTION(n_fixed); i++) {
            double given[N_ELEMENTS], *own = best->set + N_ELEMENTS * p;
            memcpy(given, options->known + N_ELEMENTS * i, sizeof given);
            study_orbits_to_epoch(star, 1, given);
            study_orbits_to_reference(star, 1, given);
            if (memcmp(given, own, sizeof given) == 0)
                memcpy(own, options->known + N_ELEMENTS * i, sizeof given);
        }
}

/* Whether a term is in the model of a fit. */
static bool is_of_model(const solution *best, size_t term)
{
    return best->noise.terms >> term & 1;
}

/* The columns of a study that the model of a fit has: those of everybody, and those of the noise
 * that was chosen or asked for. Returns how many there are. */
static size_t list_columns(const study *star, const solution *best, size_t *columns)
{
    size_t first = study_first_indicator(star, best->n_planets, best->trend_order),
           jitters = first + star->menu.n_indicators,
           noise = study_first_correlated(star, best->n_planets, best->trend_order), n = 0;
    for (size_t i = 0; i < first; i++)
        columns[n++] = i;
    for (size_t i = 0; i < star->n_instruments; i++)
        columns[n++] = jitters + i;
    for (size_t t = 0; t < star->menu.n_terms; t++)
        for (size_t i = 0; i < star->menu.terms[t].kind->n_parameters && is_of_model(best, t); i++)
            columns[n++] = noise + star->menu.terms[t].first + i;
    return n;
}

static equant_status keep_parameters(const study *star, const solution *best,
                                     const uncertainty *known, equant_fit *fit)
{
    size_t *columns = malloc((known->n + 1) * sizeof *columns);
    if (!columns)
        return status_out_of_memory();
    size_t n = fit->n_parameters = list_columns(star, best, columns);
    fit->covariance = malloc(n * n * sizeof *fit->covariance);
    fit->parameters = malloc(n * sizeof *fit->parameters);
    bool has_room = fit->covariance && fit->parameters;
    for (size_t i = 0; i < n && has_room; i++) {
        fit->parameters[i] = best->set[columns[i]];
        for (size_t j = 0; j < n; j++)
            fit->covariance[i * n + j] = known->elements[columns[i] * known->n + columns[j]];
    }
    free(columns);
    return has_room ? EQUANT_SUCCESS : status_out_of_memory();
}

/* Offsets, trend, jitters and parameters of noise are columns. */
static equant_status keep_model(const study *star, const solution *best, equant_fit *fit)
{
    char noise[NOISE_KINDS_TEXT_SIZE] = "";
    for (size_t t = 0; t < star->menu.n_terms; t++)
        if (is_of_model(best, t)) {
            const noise_menu_term *term = &star->menu.terms[t];
            size_t n = strlen(noise);
            n += (size_t)snprintf(noise + n, sizeof noise - n, "%s%s", n > 0 ? "," : "",
                                  term->kind->name);
            if (term->owner > 0)
                snprintf(noise + n, sizeof noise - n, "@%d", term->owner - 1);
        }
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = best->n_planets,
                                    .n_instruments = star->n_instruments,
                                    .trend = trend_order_name(best->trend_order),
                                    .offset_columns = EQUANT_NUISANCE_GIVEN,
                                    .trend_columns = EQUANT_NUISANCE_GIVEN,
                                    .with_jitter = 1,
                                    .noise = noise[0] ? noise : NULL};
    return equant_model_create(&options, &fit->model);
}

/* Copies the solution, its covariance and its planets into the fit. */
static equant_status keep_best(study *star, planet_finder_result *finding, const bool *is_fixed,
                               const stated_star *stated, const equant_fit_options *options,
                               equant_fit *fit)
{
    solution *best = &finding->best;
    uncertainty known;
    equant_status status = stated->states ? stated_star_uncertainty(star, stated, best, &known)
                                          : uncertainty_create(star, best, is_fixed, &known);
    if (status != EQUANT_SUCCESS)
        return status;
    status = fit_noise_create(star, finding, &known, fit->residuals_m_s, &fit->noise);
    if (status != EQUANT_SUCCESS) {
        uncertainty_free(&known);
        return status;
    }
    uncertainty_to_reference(star, best, &known);
    restore_fixed(star, options, is_fixed, best);
    fit->n_planets = best->n_planets;
    fit->trend_order = best->trend_order;
    fit->planets = malloc((best->n_planets + 1) * sizeof *fit->planets);
    fit->families = malloc((best->n_planets + 1) * sizeof *fit->families);
    if (!fit->planets || !fit->families)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = keep_model(star, best, fit);
    if (status == EQUANT_SUCCESS)
        status = keep_parameters(star, best, &known, fit);
    host_star host = host_star_of(OPTION(star), OPTION(star_mass));
    if (status == EQUANT_SUCCESS)
        status = keep_quantities(star, finding, is_fixed, &known, &host, fit);
    uncertainty_free(&known);
    return status;
}

static equant_status keep_candidate(study *star, planet_finder_result *finding,
                                    const bool *is_fixed, const host_star *host, equant_fit *fit)
{
    solution *candidate = &finding->candidate;
    if (!finding->has_candidate)
        return EQUANT_SUCCESS;
    uncertainty known;
    equant_status status = uncertainty_create(star, candidate, is_fixed, &known);
    if (status != EQUANT_SUCCESS)
        return status;
    uncertainty_to_reference(star, candidate, &known);
    quantity_estimate estimates[1][QUANTITIES_MOST];
    fit_quantities_source source = {
        .shape = {parameter_layout_of((parameter_shape){.n_planets = 1}), *host, true},
        .planets = estimates};
    size_t last = candidate->n_planets - 1;
    equant_limit at_limit = period_limit_of(star, candidate->set[N_ELEMENTS * last]);
    uncertainty_planet(star, candidate, &known, last, host, estimates[0]);
    drop_errors(at_limit, estimates[0]);
    fit->candidate = fit_quantities_planet(estimates[0]);
    fit->candidate.at_limit = at_limit;
    fit->candidate.period_days_bound = finding->candidate_bound_days;
    fit->candidate.false_alarm = finding->candidate_verdict.false_alarm;
    fit->candidate.log_likelihood_gain = finding->candidate_gain;
    fit->candidate.delta_bic = finding->candidate_verdict.delta_bic;
    fit->candidate.k_m_s_low = fit->candidate.k_m_s_high = NAN;
    fit->candidate.eccentricity_low = fit->candidate.eccentricity_high = NAN;
    fit->candidate.probability = finding->candidate_verdict.probability;
    fit->candidate.false_inclusion = 1.0 - finding->candidate_verdict.probability;
    fit->candidate.refused_because = refusal_of(&finding->candidate_verdict);
    refusal_describe(&finding->candidate_verdict, fit->refusal);
    fit->has_candidate = true;
    uncertainty_free(&known);
    return fit_quantities_create(&source, &fit->candidate_quantities);
}

/* Whether a candidate may be a planet for all that was held against it: it was not strong enough.
 */
static bool may_be_planet(const equant_fit *fit)
{
    equant_refusal because = fit->candidate.refused_because;
    return fit->has_candidate && !isnan(fit->candidate.probability) &&
           (because == EQUANT_REFUSED_FALSE_ALARM || because == EQUANT_REFUSED_BIC ||
            because == EQUANT_REFUSED_IMPROBABLE);
}

/* How probable each planet and each number of planets is; those that were given are there. */
static void count_planets(const planet_finder_result *finding, equant_fit *fit)
{
    double log_odds[STUDY_MAX_PLANETS + 1], probability[STUDY_MAX_PLANETS + 1],
        false_inclusion[STUDY_MAX_PLANETS + 1];
    size_t n = fit->n_planets;
    bool has_candidate = may_be_planet(fit);
    for (size_t p = 0; p < n; p++)
        log_odds[p] = isnan(finding->log_odds[p]) ? INFINITY : finding->log_odds[p];
    if (has_candidate)
        log_odds[n] =
            log(fit->candidate.probability / fit->candidate.false_inclusion) - log((double)n + 1.0);
    fit->max_planets = n + has_candidate;
    planet_odds_settle(fit->max_planets, log_odds, &finding->together, probability, false_inclusion,
                       fit->numbers);
    for (size_t p = 0; p < n; p++) {
        bool is_known = !isnan(finding->log_odds[p]);
        fit->planets[p].probability = is_known ? probability[p] : NAN;
        fit->planets[p].false_inclusion = is_known ? false_inclusion[p] : NAN;
    }
    if (has_candidate) {
        fit->candidate.probability = probability[n];
        fit->candidate.false_inclusion = false_inclusion[n];
    }
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
    return stated_star_finish(star, stated, &finding->best, finding->gain, finding->gain_bic);
}

static equant_status fit_star(study *star, const equant_fit_options *options, equant_fit *fit)
{
    planet_finder_options wanted = planet_finder_options_of(options);
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
    planet_finder_result finding;
    bool is_fixed[STUDY_MAX_PLANETS + 1] = {false}, none_fixed[STUDY_MAX_PLANETS + 1] = {false};
    for (size_t p = 0; p < wanted.n_fixed; p++)
        is_fixed[p] = none_fixed[p] = true;
    status = planet_finder_run(star, &wanted, &finding);
    if (status != EQUANT_SUCCESS)
        return status;
    status = keep_candidate(star, &finding, none_fixed, &host, fit);
    if (status == EQUANT_SUCCESS)
        status = end_with_states(star, &stated, &finding);
    sort_planets(&finding, is_fixed, stated.letters);
    if (status == EQUANT_SUCCESS)
        status = keep_residuals(star, &finding.best, fit);
    if (status == EQUANT_SUCCESS)
        status = fit_outliers_create(star, &finding.best, &fit->outliers);
    if (status == EQUANT_SUCCESS)
        status = keep_best(star, &finding, is_fixed, &stated, options, fit);
    if (status == EQUANT_SUCCESS)
        count_planets(&finding, fit);
    if (status == EQUANT_SUCCESS)
        fit->summary = summarize(star, &finding, wanted.n_fixed, fit->residuals_m_s);
    if (status == EQUANT_SUCCESS && stated.states) {
        fit->summary.n_fitted = stated.found.n_free;
        fit->summary.bic = stated_star_bic(star, &finding.best, &stated.found);
    }
    for (size_t p = 0; p < fit->n_planets; p++)
        fit->letters[p] = stated.states ? stated.letters[p] : (char)(STATE_FIRST_LETTER + (int)p);
    planet_finder_free(&finding);
    return status;
}

/* The noise that is meant. A signal is a planet or noise: where the number of planets is given,
 * there is nothing to decide, and without jitters there is no white part for other noise to stand
 * on. */
static const char *noise_of(const equant_fit_options *options)
{
    bool decides = OPTION(n_planets) == 0 && OPTION(method) == EQUANT_FIT_SCAN;
    if (OPTION(noise))
        return OPTION(noise);
    if (OPTION(states))
        return "white";
    return decides && !OPTION(no_jitter) ? EQUANT_DEFAULT_NOISE : "white";
}

/* Outliers are what fits believe least where they decide about noise. */
static const char *outliers_of(const equant_fit_options *options)
{
    if (OPTION(outliers))
        return OPTION(outliers);
    return strcmp(noise_of(options), "auto") == 0 ? "auto" : "none";
}

equant_status equant_fit_star(const equant_dataset *dataset, const equant_fit_options *options,
                              equant_fit **out)
{
    if (!dataset || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a fit needs a data set and a place to put it");
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = check_options(dataset, options);
    if (status != EQUANT_SUCCESS)
        return status;
    study_options kept = {.engine = OPTION(engine),
                          .keeps_reference_time = state_list_needs_reference_time(OPTION(states)),
                          .exact_precision = OPTION(exact_precision) != 0,
                          .no_jitter = OPTION(no_jitter) != 0,
                          .noise = noise_of(options),
                          .indicators = OPTION(indicators),
                          .as_series = OPTION(indicators_as_series) != 0,
                          .outliers = outliers_of(options),
                          .period_min_days = OPTION(period_min_days),
                          .period_max_days = OPTION(period_max_days),
                          .progress = OPTION(progress),
                          .progress_context = OPTION(progress_context)};
    study star;
    equant_fit *fit = calloc(1, sizeof *fit);
    if (!fit)
        return status_out_of_memory();
    status = study_create(&star, dataset, &kept);
    if (status == EQUANT_SUCCESS)
        status = stated_noise_narrow(OPTION(states), &star);
    card_opening *opening = status == EQUANT_SUCCESS
                                ? card_opening_begin(NULL, &star.scan_engine, star.n_instruments)
                                : NULL;
    if (status == EQUANT_SUCCESS)
        status = fit_star(&star, options, fit);
    card_opening_end(opening);
    study_free(&star);
    if (status != EQUANT_SUCCESS) {
        equant_fit_free(fit);
        return status;
    }
    *out = fit;
    return EQUANT_SUCCESS;
}
