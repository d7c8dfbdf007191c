#include "inference/select/planets/planet_search.h"

#include <math.h>

#include "core/wall_clock.h"
#include "inference/select/planets/few_observations.h"
#include "inference/select/planets/period_limit.h"
#include "inference/select/planets/rival.h"
#include "inference/optimise/maximum_likelihood.h"

bool planet_search_prefers(const planet_search *search, const solution *one, const solution *other)
{
    return rival_is_beaten(search->star, &search->significance, one, other,
                           search->options->false_alarm_max);
}

equant_status planet_search_judge(planet_search *search)
{
    study *star = search->star;
    const solution *current = &search->pool.current;
    noise_factor factor = {.n_rows = 0};
    const base_terms terms = {.factor = &factor};
    equant_status status = EQUANT_SUCCESS;
    if (current->noise.terms != 0)
        status = base_columns_factor(star, current, &factor);
    if (status == EQUANT_SUCCESS)
        status =
            significance_create(star, &search->pool.first_grid, current,
                                current->noise.terms != 0 ? &terms : NULL, &search->significance);
    noise_factor_free(&factor);
    return status;
}

/* The most planets that the data can carry: five parameters each, and one observation over. */
static size_t planets_at_most(const planet_search *search)
{
    const study *star = search->star;
    size_t taken = solution_n_fitted(star, &search->pool.current, search->options->n_fixed) -
                   N_ELEMENTS * (search->pool.current.n_planets - search->options->n_fixed);
    size_t carried = star->n_obs > taken + 1 ? (star->n_obs - taken - 1) / N_ELEMENTS : 0;
    size_t asked = search->options->n_planets > 0 ? (size_t)search->options->n_planets
                                                  : search->options->max_planets;
    if (search->options->n_planets < 0)
        asked = 0;
    size_t most =
        asked < carried + search->options->n_fixed ? asked : carried + search->options->n_fixed;
    return most < STUDY_MAX_PLANETS ? most : STUDY_MAX_PLANETS;
}

/* Whether a solution of the pool is worth having instead of the current one, with the false-alarm
 * probability of its last planet. Where it has taken the place of a trend, that is measured against
 * a model with neither; the BIC then says which of the two it is. */
equant_status planet_search_weigh(planet_search *search, solution *best, verdict *made)
{
    study *star = search->star;
    solution *without = &search->pool.trial;
    size_t n_fixed = search->options->n_fixed;
    equant_status status = noise_choice_price(star, n_fixed, best);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, n_fixed, &search->pool.current);
    *made = (verdict){.false_alarm = 1.0,
                      .false_alarm_max = search->options->false_alarm_max,
                      .probability = NAN,
                      .probability_min = search->options->probability_min};
    solution_copy(star, &search->pool.current, without);
    made->replaces_trend = best->trend_order < without->trend_order;
    if (made->replaces_trend && status == EQUANT_SUCCESS) {
        solution_set_trend(star, without, best->trend_order);
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, without);
        if (status == EQUANT_SUCCESS)
            status = noise_choice_price(star, n_fixed, without);
    }
    if (status == EQUANT_SUCCESS)
        status = planet_weighing_false_alarm(star, &search->by, best, best->n_planets - 1, without,
                                             &search->pool.check, &made->false_alarm);
    if (status == EQUANT_SUCCESS && !best->measured)
        status = few_observations_measure(star, n_fixed, best, &made->measured);
    made->measured.is_one = best->measured;
    made->delta_bic = solution_bic(star, &search->pool.current, 0) - solution_bic(star, best, 0);
    made->period_days = best->set[N_ELEMENTS * made->measured.planet + ELEMENT_PERIOD];
    made->is_new = made->measured.planet + 1 == best->n_planets;
    return status;
}

/* The solutions of the pool are models that were seen. */
static equant_status note_found(planet_search *search)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < search->pool.n && status == EQUANT_SUCCESS; i++)
        status = seen_models_note(search->star, &search->pool.found[i], &search->seen);
    return status;
}

/* Where no planet is significant alone, two may be: each must then be so beside the other. */
static equant_status try_two_more(planet_search *search, size_t most, bool *accepted)
{
    study *star = search->star;
    solution *both = &search->pool.found[0];
    *accepted = false;
    if (search->pool.current.n_planets + 2 > most || search->options->method != EQUANT_FIT_SCAN)
        return EQUANT_SUCCESS;
    bool has_found;
    equant_status status = candidate_pool_fill_with_two(&search->pool, &has_found);
    if (status != EQUANT_SUCCESS || !has_found)
        return status;
    status = note_found(search);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, search->options->n_fixed, both);
    if (status != EQUANT_SUCCESS)
        return status;
    bool good = both->measured &&
                solution_bic(star, both, 0) < solution_bic(star, &search->pool.current, 0);
    for (size_t p = search->pool.current.n_planets; p < both->n_planets && good; p++) {
        double alarm = 1.0;
        status = planet_weighing_leave_out(star, &search->by, both, p, &search->pool.trial);
        if (status == EQUANT_SUCCESS)
            status = planet_weighing_false_alarm(star, &search->by, both, p, &search->pool.trial,
                                                 &search->pool.check, &alarm);
        if (status != EQUANT_SUCCESS)
            return status;
        good = alarm <= search->options->false_alarm_max;
    }
    *accepted = good;
    return status;
}

/* What is remembered as refused: the best of the pool or, where it is not well measured and would
 * have been taken otherwise, the one that was passed over for it. */
static equant_status choose_candidate(planet_search *search, solution **best, verdict *judged)
{
    solution *passed_over = candidate_pool_passed_over(&search->pool);
    verdict other;
    *best = &search->pool.found[0];
    equant_status status =
        passed_over ? planet_search_weigh(search, passed_over, &other) : EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS || !passed_over)
        return status;
    equant_refusal because = refusal_of(&other);
    if (because != EQUANT_REFUSED_FALSE_ALARM && because != EQUANT_REFUSED_BIC) {
        *best = passed_over;
        *judged = other;
    }
    return status;
}

/* An orbit that fits better than the best that is well measured is the planet where it is probable:
 * a pericentre that few observations saw leaves K open, and an alias on a rounder orbit has none of
 * that and fits worse. */
static equant_status prefer_passed_over(planet_search *search)
{
    verdict judged;
    bool accepted = false;
    solution *passed_over = candidate_pool_passed_over(&search->pool);
    equant_status status =
        passed_over ? planet_search_weigh(search, passed_over, &judged) : EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS && passed_over)
        status =
            few_observations_take(search->star, search->options, passed_over, &search->pool.current,
                                  &search->pool.trial, &judged, &accepted);
    if (accepted)
        candidate_pool_promote(&search->pool, passed_over);
    return status;
}

equant_status planet_search_refuse(planet_search *search, const solution *best,
                                   const verdict *judged, planet_finder_result *result)
{
    if (!result->candidate.set) {
        equant_status status = solution_create(search->star, &result->candidate);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    solution_copy(search->star, best, &result->candidate);
    result->candidate_verdict = *judged;
    result->candidate_gain = best->log_likelihood - search->pool.current.log_likelihood;
    result->has_candidate = true;
    result->candidate_bound_days = NAN;
    return period_limit_bound(search->star, search->options->n_fixed, &result->candidate,
                              best->n_planets - 1, &search->pool.trial,
                              &result->candidate_bound_days);
}

/* Planets by which a model with white noise may be ahead of one with other noise and still be worth
 * less: more of them imitate noise. */
enum { PLANETS_AHEAD = 3 };

bool planet_search_is_behind(const planet_search *search)
{
    const solution *current = &search->pool.current, *rival = search->rival;
    return rival && current->n_planets >= rival->n_planets + PLANETS_AHEAD &&
           !planet_search_prefers(search, current, rival);
}

/* Whether the time is over, which is then remarked. */
static bool is_out_of_time(planet_search *search)
{
    bool is_over = wall_clock_s() > search->options->deadline_s;
    search->is_out_of_time = search->is_out_of_time || is_over;
    if (is_over)
        remarks_add(&search->star->menu.remarks,
                    "The time that was given was over: no planet more was looked for, and there "
                    "may be some.");
    return is_over;
}

equant_status planet_search_add(planet_search *search, planet_finder_result *result)
{
    size_t most = planets_at_most(search);
    bool forced = search->options->n_planets > 0;
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && search->pool.current.n_planets < most &&
           !planet_search_is_behind(search) && !is_out_of_time(search)) {
        verdict judged;
        solution *candidate;
        status = candidate_pool_fill(&search->pool);
        if (status == EQUANT_SUCCESS)
            status = note_found(search);
        if (status == EQUANT_SUCCESS && !forced)
            status = few_observations_pass_over(&search->pool);
        if (status != EQUANT_SUCCESS || search->pool.n == 0)
            return status;
        status = planet_search_weigh(search, &search->pool.found[0], &judged);
        if (status != EQUANT_SUCCESS)
            return status;
        bool accepted = forced || refusal_of(&judged) == EQUANT_REFUSED_NOT;
        if (accepted && !forced)
            status = prefer_passed_over(search);
        if (!accepted) {
            status = choose_candidate(search, &candidate, &judged);
            if (status == EQUANT_SUCCESS)
                status = few_observations_take(search->star, search->options, candidate,
                                               &search->pool.current, &search->pool.trial, &judged,
                                               &accepted);
            if (accepted)
                candidate_pool_promote(&search->pool, candidate);
            if (status == EQUANT_SUCCESS && !accepted)
                status = planet_search_refuse(search, candidate, &judged, result);
            if (status == EQUANT_SUCCESS && !accepted)
                status = try_two_more(search, most, &accepted);
            if (!accepted)
                return status;
        }
        result->has_candidate = result->has_candidate && !accepted;
        candidate_pool_accept(&search->pool);
        status = period_limit_widen(search->star, search->options->n_fixed, POLISH_TO_RANK,
                                    &search->pool.current, &search->pool.trial);
        solution_copy(search->star, &search->pool.current, &search->pool.beam[0]);
        if (status == EQUANT_SUCCESS)
            status = partial_result_keep(search->star, &search->pool.current, PARTIAL_FOUND, result,
                                         &search->partial);
    }
    return status;
}

/* Whether a model has noise that another has not. */
static bool has_more_noise(const solution *one, const solution *other)
{
    return one->noise.terms & ~other->noise.terms;
}

/* The false-alarm probability of a planet of the current solution against one without it. */
static equant_status alarm_against(planet_search *search, size_t planet, const solution *without,
                                   double *alarm)
{
    return planet_weighing_false_alarm(search->star, &search->by, &search->pool.current, planet,
                                       without, &search->pool.check, alarm);
}

/* The same where its place is left to the noise that it is found with. */
static equant_status alarm_in_own_noise(planet_search *search, size_t planet, double *alarm)
{
    study *star = search->star;
    const solution *with = &search->pool.current;
    solution *without = &search->pool.trial;
    solution_copy(star, with, without);
    solution_remove_planet(star, without, planet);
    equant_status status =
        maximum_likelihood_solution(star, search->options->n_fixed, POLISH_TO_RANK, without);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, search->options->n_fixed, without);
    return status == EQUANT_SUCCESS ? alarm_against(search, planet, without, alarm) : status;
}

/* The planet becomes the last of the model that is remembered. */
static equant_status remember_outweighed(planet_search *search, size_t planet, double probability,
                                         double false_alarm)
{
    study *star = search->star;
    const solution *with = &search->pool.current;
    outweighed_planet *made = &search->outweighed;
    if (made->model.set && made->probability >= probability)
        return EQUANT_SUCCESS;
    equant_status status = made->model.set ? EQUANT_SUCCESS : solution_create(star, &made->model);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, with, &made->model);
    solution_remove_planet(star, &made->model, planet);
    solution_add_planet(star, &made->model, with->set + N_ELEMENTS * planet);
    made->model.log_likelihood = with->log_likelihood;
    made->probability = probability;
    made->false_alarm = false_alarm;
    return EQUANT_SUCCESS;
}

equant_status planet_search_outweighs_noise(planet_search *search, size_t planet,
                                            const solution *without, bool *outweighs)
{
    const planet_pair pair = {&search->pool.current, planet, without, NULL};
    double own_alarm = 1.0, alarm = 1.0, probability = 0.0;
    *outweighs = false;
    if (!search->star->chooses_noise || !has_more_noise(without, pair.with))
        return EQUANT_SUCCESS;
    equant_status status = alarm_in_own_noise(search, planet, &own_alarm);
    if (status != EQUANT_SUCCESS || own_alarm > search->options->false_alarm_max)
        return status;
    status =
        planet_weighing_probability(search->star, search->options->n_fixed, &pair, &probability);
    *outweighs = probability > EVEN_ODDS;
    if (status == EQUANT_SUCCESS && !*outweighs)
        status = alarm_against(search, planet, without, &alarm);
    return status == EQUANT_SUCCESS && !*outweighs
               ? remember_outweighed(search, planet, probability, alarm)
               : status;
}

/* Of the planets found here that are no more significant than chance the least, but for those that
 * noise does not outweigh; n_planets where there is none. */
static equant_status find_superfluous(planet_search *search, const planet_finder_result *result,
                                      size_t *planet)
{
    size_t n = search->pool.current.n_planets;
    bool stays[STUDY_MAX_PLANETS] = {false};
    equant_status status = EQUANT_SUCCESS;
    do {
        double largest = search->options->false_alarm_max;
        *planet = n;
        for (size_t p = search->options->n_known; p < n; p++)
            if (!stays[p] && result->false_alarm[p] > largest) {
                largest = result->false_alarm[p];
                *planet = p;
            }
        if (*planet < n)
            status = planet_search_outweighs_noise(search, *planet, &search->rests.without[*planet],
                                                   &stays[*planet]);
    } while (status == EQUANT_SUCCESS && *planet < n && stays[*planet]);
    return status;
}

equant_status planet_search_drop(planet_search *search, double tolerance,
                                 planet_finder_result *result)
{
    study *star = search->star;
    size_t n_fixed = search->options->n_fixed;
    for (;;) {
        size_t planet;
        equant_status status =
            maximum_likelihood_solution(star, n_fixed, tolerance, &search->pool.current);
        if (status == EQUANT_SUCCESS)
            status = period_limit_widen(star, n_fixed, tolerance, &search->pool.current,
                                        &search->pool.trial);
        if (status == EQUANT_SUCCESS)
            status = planet_weighing_each(star, &search->by, &search->pool.current, &search->rests,
                                          result);
        if (status != EQUANT_SUCCESS || search->options->n_planets != 0)
            return status;
        status = find_superfluous(search, result, &planet);
        if (status != EQUANT_SUCCESS || planet == search->pool.current.n_planets)
            return status;
        solution_remove_planet(star, &search->pool.current, planet);
        status = maximum_likelihood_solution(star, n_fixed, tolerance, &search->pool.current);
        if (status == EQUANT_SUCCESS)
            status = noise_choice_improve(star, n_fixed, &search->pool.current);
        if (status != EQUANT_SUCCESS)
            return status;
    }
}

/* From the current solution on. */
equant_status planet_search_go_on(planet_search *search, planet_finder_result *result)
{
    equant_status status = planet_search_judge(search);
    if (status != EQUANT_SUCCESS)
        return status;
    candidate_pool_begin(&search->pool);
    result->has_candidate = false;
    return planet_search_add(search, result);
}
