#include "inference/fit/fit_planets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "inference/select/planets/period_limit.h"
#include "inference/fit/fit_parameters.h"
#include "inference/select/aliases/planet_odds.h"
#include "model/period_resolution.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_fit_options, member)

void fit_planets_sort(planet_finder_result *finding, bool *is_fixed, char *letters)
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

/* Those of planets in order of period, and last that of the candidate. */
static void keep_rivals(const planet_rivals *found, planet_rivals *made)
{
    made->n = 0;
    for (size_t i = 0; i < found->n; i++) {
        size_t place = made->n++;
        for (; place > 0 && !found->list[i].is_of_candidate &&
               found->list[i].period_days < made->list[place - 1].period_days;
             place--)
            made->list[place] = made->list[place - 1];
        made->list[place] = found->list[i];
    }
}

/* A period at a limit has no error, nor has the axis that follows from it. */
static void drop_errors(equant_limit at_limit, quantity_estimate estimates[QUANTITIES_MOST])
{
    static const char *const names[] = {"period_days", "a_au"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && at_limit != EQUANT_LIMIT_NONE; i++)
        estimates[quantity_catalogue_index(quantity_catalogue_find(names[i]))].error = NAN;
}

/* The planet with this period; n_planets where there is none any more. */
static size_t planet_of_period(const study *star, const solution *best, double period_days)
{
    size_t nearest = best->n_planets;
    double least = PERIOD_SAME;
    for (size_t p = 0; p < best->n_planets; p++) {
        double apart =
            period_resolution_apart(best->set[N_ELEMENTS * p], period_days, star->span_days);
        if (apart < least) {
            least = apart;
            nearest = p;
        }
    }
    return nearest;
}

/* Pairs of aliases of planets that are still there. */
static void keep_pairs(const study *star, const planet_finder_result *finding, equant_fit *fit)
{
    for (size_t i = 0; i < finding->pairs.n; i++) {
        const alias_pair *own = &finding->pairs.list[i];
        equant_alias_pair made = {.first = planet_of_period(star, &finding->best, own->own_days[0]),
                                  .second =
                                      planet_of_period(star, &finding->best, own->own_days[1]),
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
    keep_pairs(star, finding, fit);
    keep_rivals(&finding->rivals, &fit->rivals);
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

equant_status fit_planets_keep(study *star, planet_finder_result *finding, const bool *is_fixed,
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
        status = fit_parameters_keep_model(star, best, fit);
    if (status == EQUANT_SUCCESS)
        status = fit_parameters_keep(star, best, &known, fit);
    host_star host = host_star_of(OPTION(star), OPTION(star_mass));
    if (status == EQUANT_SUCCESS)
        status = keep_quantities(star, finding, is_fixed, &known, &host, fit);
    uncertainty_free(&known);
    return status;
}

equant_status fit_planets_keep_candidate(study *star, planet_finder_result *finding,
                                         const bool *is_fixed, const host_star *host,
                                         equant_fit *fit)
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

void fit_planets_count(const planet_finder_result *finding, bool is_weighed, equant_fit *fit)
{
    double log_odds[STUDY_MAX_PLANETS + 1] = {0.0}, probability[STUDY_MAX_PLANETS + 1],
                                        false_inclusion[STUDY_MAX_PLANETS + 1];
    size_t n = fit->n_planets;
    bool has_candidate = may_be_planet(fit), has_two = has_candidate;
    for (size_t p = 0; p < n; p++) {
        log_odds[p] = isnan(finding->log_odds[p]) ? INFINITY : finding->log_odds[p];
        has_two = has_two || !isnan(finding->log_odds[p]);
    }
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
    /* Of one number alone there is nothing to compare. */
    for (size_t k = 0; k <= fit->max_planets && (!is_weighed || !has_two); k++)
        fit->numbers[k] = NAN;
}
