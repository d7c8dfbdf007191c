#include "inference/find/planet_finder.h"

#include <math.h>
#include <string.h>

#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/find/candidate_pool.h"
#include "inference/find/few_observations.h"
#include "inference/find/observing_cycle.h"
#include "inference/find/period_limit.h"
#include "inference/find/planet_odds.h"
#include "inference/find/planet_weighing.h"
#include "inference/find/rival.h"
#include "inference/scan/significance.h"
#include "inference/study/maximum_likelihood.h"
#include "inference/study/noise_choice.h"
#include "inference/study/study_crew.h"

/* Planets that noise may take the place of are to be more probable than not, all together. */
#define EVEN_ODDS 0.5
/* Of ln P: the same planet in two models. */
#define SAME_PERIOD 1e-2

typedef struct planet_finder {
    study *star;
    const planet_finder_options *options;
    candidate_pool pool;
    significance significance;
    planet_weighing by;
    planet_rests rests;    /* of the current solution, when its planets have been weighed */
    const solution *rival; /* what a search with white noise is measured against; NULL: nothing */
} planet_finder;

/* Whether one model is preferred to another, which may have other planets and other noise. */
static bool is_better(const planet_finder *finder, const solution *one, const solution *other)
{
    return rival_is_beaten(finder->star, &finder->significance, one, other,
                           finder->options->false_alarm_max);
}

/* False alarms under the noise that was chosen. */
static equant_status judge_with_noise(planet_finder *finder)
{
    study *star = finder->star;
    const solution *current = &finder->pool.current;
    noise_factor factor = {.n_rows = 0};
    const base_terms terms = {.factor = &factor};
    equant_status status = EQUANT_SUCCESS;
    if (current->noise.terms != 0)
        status = base_columns_factor(star, current, &factor);
    if (status == EQUANT_SUCCESS)
        status =
            significance_create(star, &finder->pool.first_grid, current,
                                current->noise.terms != 0 ? &terms : NULL, &finder->significance);
    noise_factor_free(&factor);
    return status;
}

/* The model without planets, and with those known. */
static equant_status begin(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    const planet_finder_options *options = finder->options;
    solution *start = &finder->pool.current;
    solution_set_trend(star, start, trend_order_of(options->trend));
    equant_status status = noise_choice_begin(star, start);
    if (status == EQUANT_SUCCESS)
        status = maximum_likelihood_solution(star, 0, POLISH_TO_PUBLISH, start);
    if (status == EQUANT_SUCCESS)
        status = candidate_pool_choose_trend(&finder->pool, start);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &result->without_planets);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, start, &result->without_planets);
    for (size_t p = 0; p < options->n_known; p++)
        solution_add_planet(star, start, options->known + N_ELEMENTS * p);
    if (options->n_known > 0)
        status = maximum_likelihood_solution(star, options->n_fixed, POLISH_TO_RANK, start);
    if (status == EQUANT_SUCCESS && options->n_known > 0)
        status = candidate_pool_choose_trend(&finder->pool, start);
    if (status == EQUANT_SUCCESS)
        status = judge_with_noise(finder);
    candidate_pool_begin(&finder->pool);
    return status;
}

/* The most planets that the data can carry: five parameters each, and one observation over. */
static size_t planets_at_most(const planet_finder *finder)
{
    const study *star = finder->star;
    size_t taken = solution_n_fitted(star, &finder->pool.current, finder->options->n_fixed) -
                   N_ELEMENTS * (finder->pool.current.n_planets - finder->options->n_fixed);
    size_t carried = star->n_obs > taken + 1 ? (star->n_obs - taken - 1) / N_ELEMENTS : 0;
    size_t asked = finder->options->n_planets > 0 ? (size_t)finder->options->n_planets
                                                  : finder->options->max_planets;
    if (finder->options->n_planets < 0)
        asked = 0;
    size_t most =
        asked < carried + finder->options->n_fixed ? asked : carried + finder->options->n_fixed;
    return most < STUDY_MAX_PLANETS ? most : STUDY_MAX_PLANETS;
}

/* Whether a solution of the pool is worth having instead of the current one, with the false-alarm
 * probability of its last planet. Where it has taken the place of a trend, that is measured against
 * a model with neither; the BIC then says which of the two it is. */
static equant_status weigh(planet_finder *finder, solution *best, verdict *made)
{
    study *star = finder->star;
    solution *without = &finder->pool.trial;
    size_t n_fixed = finder->options->n_fixed;
    equant_status status = noise_choice_price(star, n_fixed, best);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, n_fixed, &finder->pool.current);
    *made = (verdict){.false_alarm = 1.0,
                      .false_alarm_max = finder->options->false_alarm_max,
                      .probability = NAN,
                      .probability_min = finder->options->probability_min};
    solution_copy(star, &finder->pool.current, without);
    made->replaces_trend = best->trend_order < without->trend_order;
    if (made->replaces_trend && status == EQUANT_SUCCESS) {
        solution_set_trend(star, without, best->trend_order);
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, without);
        if (status == EQUANT_SUCCESS)
            status = noise_choice_price(star, n_fixed, without);
    }
    if (status == EQUANT_SUCCESS)
        status = planet_weighing_false_alarm(star, &finder->by, best, best->n_planets - 1, without,
                                             &finder->pool.check, &made->false_alarm);
    if (status == EQUANT_SUCCESS && !best->measured)
        status = few_observations_measure(star, n_fixed, best, &made->measured);
    made->measured.is_one = best->measured;
    made->delta_bic = solution_bic(star, &finder->pool.current, 0) - solution_bic(star, best, 0);
    made->period_days = best->set[N_ELEMENTS * made->measured.planet + ELEMENT_PERIOD];
    made->is_new = made->measured.planet + 1 == best->n_planets;
    return status;
}

/* Where no planet is significant alone, two may be: each must then be so beside the other. */
static equant_status try_two_more(planet_finder *finder, size_t most, bool *accepted)
{
    study *star = finder->star;
    solution *both = &finder->pool.found[0];
    *accepted = false;
    if (finder->pool.current.n_planets + 2 > most || finder->options->method != EQUANT_FIT_SCAN)
        return EQUANT_SUCCESS;
    bool has_found;
    equant_status status = candidate_pool_fill_with_two(&finder->pool, &has_found);
    if (status != EQUANT_SUCCESS || !has_found)
        return status;
    status = noise_choice_price(star, finder->options->n_fixed, both);
    if (status != EQUANT_SUCCESS)
        return status;
    bool good = both->measured &&
                solution_bic(star, both, 0) < solution_bic(star, &finder->pool.current, 0);
    for (size_t p = finder->pool.current.n_planets; p < both->n_planets && good; p++) {
        double alarm = 1.0;
        status = planet_weighing_leave_out(star, &finder->by, both, p, &finder->pool.trial);
        if (status == EQUANT_SUCCESS)
            status = planet_weighing_false_alarm(star, &finder->by, both, p, &finder->pool.trial,
                                                 &finder->pool.check, &alarm);
        if (status != EQUANT_SUCCESS)
            return status;
        good = alarm <= finder->options->false_alarm_max;
    }
    *accepted = good;
    return status;
}

/* What is remembered as refused: the best of the pool or, where it is not well measured and would
 * have been taken otherwise, the one that was passed over for it. */
static equant_status choose_candidate(planet_finder *finder, solution **best, verdict *judged)
{
    solution *passed_over = candidate_pool_passed_over(&finder->pool);
    verdict other;
    *best = &finder->pool.found[0];
    equant_status status = passed_over ? weigh(finder, passed_over, &other) : EQUANT_SUCCESS;
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
static equant_status prefer_passed_over(planet_finder *finder)
{
    verdict judged;
    bool accepted = false;
    solution *passed_over = candidate_pool_passed_over(&finder->pool);
    equant_status status = passed_over ? weigh(finder, passed_over, &judged) : EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS && passed_over)
        status =
            few_observations_take(finder->star, finder->options, passed_over, &finder->pool.current,
                                  &finder->pool.trial, &judged, &accepted);
    if (accepted)
        candidate_pool_promote(&finder->pool, passed_over);
    return status;
}

/* Remembers what was refused. */
static equant_status keep_candidate(planet_finder *finder, const solution *best,
                                    const verdict *judged, planet_finder_result *result)
{
    if (!result->candidate.set) {
        equant_status status = solution_create(finder->star, &result->candidate);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    solution_copy(finder->star, best, &result->candidate);
    result->candidate_verdict = *judged;
    result->candidate_gain = best->log_likelihood - finder->pool.current.log_likelihood;
    result->has_candidate = true;
    result->candidate_bound_days = NAN;
    return period_limit_bound(finder->star, finder->options->n_fixed, &result->candidate,
                              best->n_planets - 1, &finder->pool.trial,
                              &result->candidate_bound_days);
}

/* Planets by which a model with white noise may be ahead of one with other noise and still be worth
 * less: more of them imitate noise. */
enum { PLANETS_AHEAD = 3 };

/* Whether a search with white noise has lost against a model with other noise. */
static bool is_behind(const planet_finder *finder)
{
    const solution *current = &finder->pool.current, *rival = finder->rival;
    return rival && current->n_planets >= rival->n_planets + PLANETS_AHEAD &&
           !is_better(finder, current, rival);
}

/* Whether the time is over, which is then remarked. */
static bool is_out_of_time(planet_finder *finder)
{
    bool is_over = wall_clock_s() > finder->options->deadline_s;
    if (is_over)
        remarks_add(&finder->star->menu.remarks,
                    "The time that was given was over: no planet more was looked for, and there "
                    "may be some.");
    return is_over;
}

/* Adds planets while they are significant, or as many as were asked for. */
static equant_status add_planets(planet_finder *finder, planet_finder_result *result)
{
    size_t most = planets_at_most(finder);
    bool forced = finder->options->n_planets > 0;
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && finder->pool.current.n_planets < most &&
           !is_behind(finder) && !is_out_of_time(finder)) {
        verdict judged;
        solution *candidate;
        status = candidate_pool_fill(&finder->pool);
        if (status == EQUANT_SUCCESS && !forced)
            status = few_observations_pass_over(&finder->pool);
        if (status != EQUANT_SUCCESS || finder->pool.n == 0)
            return status;
        status = weigh(finder, &finder->pool.found[0], &judged);
        if (status != EQUANT_SUCCESS)
            return status;
        bool accepted = forced || refusal_of(&judged) == EQUANT_REFUSED_NOT;
        if (accepted && !forced)
            status = prefer_passed_over(finder);
        if (!accepted) {
            status = choose_candidate(finder, &candidate, &judged);
            if (status == EQUANT_SUCCESS)
                status = few_observations_take(finder->star, finder->options, candidate,
                                               &finder->pool.current, &finder->pool.trial, &judged,
                                               &accepted);
            if (accepted)
                candidate_pool_promote(&finder->pool, candidate);
            if (status == EQUANT_SUCCESS && !accepted)
                status = keep_candidate(finder, candidate, &judged, result);
            if (status == EQUANT_SUCCESS && !accepted)
                status = try_two_more(finder, most, &accepted);
            if (!accepted)
                return status;
        }
        result->has_candidate = result->has_candidate && !accepted;
        candidate_pool_accept(&finder->pool);
        status = period_limit_widen(finder->star, finder->options->n_fixed, POLISH_TO_RANK,
                                    &finder->pool.current, &finder->pool.trial);
        solution_copy(finder->star, &finder->pool.current, &finder->pool.beam[0]);
    }
    return status;
}

/* Takes out, one by one, the planets found here that the rest of the model can do without. */
static equant_status drop_superfluous(planet_finder *finder, double tolerance,
                                      planet_finder_result *result)
{
    study *star = finder->star;
    size_t n_fixed = finder->options->n_fixed;
    for (;;) {
        size_t weakest;
        equant_status status =
            maximum_likelihood_solution(star, n_fixed, tolerance, &finder->pool.current);
        if (status == EQUANT_SUCCESS)
            status = period_limit_widen(star, n_fixed, tolerance, &finder->pool.current,
                                        &finder->pool.trial);
        if (status == EQUANT_SUCCESS)
            status = planet_weighing_each(star, &finder->by, &finder->pool.current, &finder->rests,
                                          result, &weakest);
        if (status != EQUANT_SUCCESS)
            return status;
        if (finder->options->n_planets != 0 || weakest == finder->pool.current.n_planets ||
            result->false_alarm[weakest] <= finder->options->false_alarm_max)
            return status;
        solution_remove_planet(star, &finder->pool.current, weakest);
        status = maximum_likelihood_solution(star, n_fixed, tolerance, &finder->pool.current);
        if (status == EQUANT_SUCCESS)
            status = noise_choice_improve(star, n_fixed, &finder->pool.current);
        if (status != EQUANT_SUCCESS)
            return status;
    }
}

/* From the current solution on. */
static equant_status search_on(planet_finder *finder, planet_finder_result *result)
{
    equant_status status = judge_with_noise(finder);
    if (status != EQUANT_SUCCESS)
        return status;
    candidate_pool_begin(&finder->pool);
    result->has_candidate = false;
    return add_planets(finder, result);
}

/* Planets that are looked for with the noise of the star without planets: it may hide some, and
 * takes none for another. */
static equant_status find_behind_noise(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    solution_copy(star, &result->without_planets, &finder->pool.current);
    for (size_t p = 0; p < finder->options->n_known; p++)
        solution_add_planet(star, &finder->pool.current, finder->options->known + N_ELEMENTS * p);
    equant_status status = maximum_likelihood_solution(star, finder->options->n_fixed,
                                                       POLISH_TO_RANK, &finder->pool.current);
    return status == EQUANT_SUCCESS ? search_on(finder, result) : status;
}

/* Planets that were found with white noise, less those that other noise explains as well. */
static equant_status keep_beside_noise(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    solution *current = &finder->pool.current;
    equant_status status = noise_choice_improve(star, finder->options->n_fixed, current);
    if (status == EQUANT_SUCCESS && (current->noise.terms != 0 || current->noise.outliers))
        status = candidate_pool_reconsider(&finder->pool, current);
    if (status == EQUANT_SUCCESS)
        status = candidate_pool_choose_trend(&finder->pool, current);
    if (status == EQUANT_SUCCESS)
        status = judge_with_noise(finder);
    return status == EQUANT_SUCCESS ? drop_superfluous(finder, POLISH_TO_RANK, result) : status;
}

/* What a search that was set aside has found and refused. */
typedef struct set_aside {
    solution found;
    planet_finder_result refused; /* of it only the candidate */
} set_aside;

/* The candidate goes to `to`, and what was there away. */
static void move_candidate(planet_finder_result *from, planet_finder_result *to)
{
    solution_free(&to->candidate);
    to->candidate = from->candidate;
    to->candidate_gain = from->candidate_gain;
    to->candidate_bound_days = from->candidate_bound_days;
    to->candidate_verdict = from->candidate_verdict;
    to->has_candidate = from->has_candidate;
    from->candidate.set = NULL;
    from->has_candidate = false;
}

/* Planets behind the noise of the star without planets, set aside. */
static equant_status look_behind_noise(planet_finder *finder, planet_finder_result *result,
                                       set_aside *behind)
{
    study *star = finder->star;
    equant_status status = find_behind_noise(finder, result);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, finder->options->n_fixed, &finder->pool.current);
    solution_copy(star, &finder->pool.current, &behind->found);
    move_candidate(result, &behind->refused);
    return status;
}

/* The better of the current solution, which may have planets and noise that were not looked behind
 * yet, and the one set aside. */
static equant_status settle(planet_finder *finder, bool has_lost, bool is_searched,
                            set_aside *behind, planet_finder_result *result)
{
    const study *star = finder->star;
    const solution *current = &finder->pool.current;
    bool has_rival = !noise_menu_is_least(&star->menu, result->without_planets.noise);
    if (has_rival && (has_lost || !is_better(finder, current, &behind->found))) {
        solution_copy(finder->star, &behind->found, &finder->pool.current);
        move_candidate(&behind->refused, result);
        return judge_with_noise(finder);
    }
    return is_searched ? EQUANT_SUCCESS : search_on(finder, result);
}

/* The candidate, where the star has it with another shape of its noise: planets hide in noise that
 * is rougher than the star's. */
static equant_status reconsider_candidate(planet_finder *finder, planet_finder_result *result,
                                          bool *accepted)
{
    study *star = finder->star;
    solution *with = &finder->pool.found[0];
    verdict judged;
    bool has_changed;
    *accepted = false;
    if (!result->has_candidate || result->candidate.n_planets != finder->pool.current.n_planets + 1)
        return EQUANT_SUCCESS;
    solution_copy(star, &result->candidate, with);
    equant_status status = noise_choice_reshape(star, finder->options->n_fixed, with, &has_changed);
    if (status != EQUANT_SUCCESS || !has_changed)
        return status;
    status = weigh(finder, with, &judged);
    *accepted = status == EQUANT_SUCCESS && refusal_of(&judged) == EQUANT_REFUSED_NOT;
    star->weighs_shapes = *accepted;
    if (*accepted)
        candidate_pool_accept(&finder->pool);
    return status == EQUANT_SUCCESS && !*accepted ? keep_candidate(finder, with, &judged, result)
                                                  : status;
}

/* Planets behind another shape of the noise, where that is likelier. */
static equant_status search_behind_shape(planet_finder *finder, planet_finder_result *result)
{
    bool has_changed;
    equant_status status = noise_choice_reshape(finder->star, finder->options->n_fixed,
                                                &finder->pool.current, &has_changed);
    if (status == EQUANT_SUCCESS && !has_changed)
        status = reconsider_candidate(finder, result, &has_changed);
    return status == EQUANT_SUCCESS && has_changed ? search_on(finder, result) : status;
}

/* White noise finds every planet, and whatever noise looks like one. Noise is offered in two ways,
 * of which the better counts: planets are looked for behind the noise of the star without planets,
 * which may hide some; and of those that white noise finds the superfluous go, but several that
 * imitate noise together may stay. */
static equant_status search_with_noise(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    solution *current = &finder->pool.current, white = {.set = NULL};
    set_aside behind = {.found = {.set = NULL}};
    equant_status status = solution_create(star, &white);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &behind.found);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, current, &white);
        star->chooses_noise = true;
        status = study_report(star, "choosing the noise", 0.0);
    }
    if (status == EQUANT_SUCCESS)
        status = noise_choice_improve(star, 0, &result->without_planets);
    if (status == EQUANT_SUCCESS &&
        !noise_menu_is_least(&star->menu, result->without_planets.noise)) {
        status = look_behind_noise(finder, result, &behind);
        finder->rival = &behind.found;
    }
    if (status == EQUANT_SUCCESS) {
        star->chooses_noise = false;
        solution_copy(star, &white, current);
        status = search_on(finder, result);
        star->chooses_noise = true;
    }
    bool has_lost = status == EQUANT_SUCCESS && is_behind(finder);
    finder->rival = NULL;
    size_t n_white = current->n_planets;
    if (status == EQUANT_SUCCESS && !has_lost)
        status = keep_beside_noise(finder, result);
    if (status == EQUANT_SUCCESS)
        status = settle(finder, has_lost,
                        noise_menu_is_least(&star->menu, current->noise) &&
                            current->n_planets == n_white,
                        &behind, result);
    if (status == EQUANT_SUCCESS)
        status = search_behind_shape(finder, result);
    solution_free(&white);
    solution_free(&behind.found);
    solution_free(&behind.refused.candidate);
    return status;
}

/* How far periods at a limit may lie inside it. */
static equant_status bound_periods(planet_finder *finder, planet_finder_result *result)
{
    const solution *best = &finder->pool.current;
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = 0; p < best->n_planets && status == EQUANT_SUCCESS; p++) {
        bool is_fitted = p >= finder->options->n_fixed;
        double period = best->set[N_ELEMENTS * p + ELEMENT_PERIOD];
        result->bound_days[p] = NAN;
        if (is_fitted && period_limit_of(finder->star, period) != EQUANT_LIMIT_NONE)
            status = period_limit_bound(finder->star, finder->options->n_fixed, best, p,
                                        &finder->pool.trial, &result->bound_days[p]);
    }
    return status;
}

/* ln of the odds of each planet that was found, but for its share. */
static equant_status weigh_planets(planet_finder *finder, planet_finder_result *result)
{
    const solution *best = &finder->pool.current;
    size_t n_known = finder->options->n_known;
    planet_pair pairs[STUDY_MAX_PLANETS];
    for (size_t p = 0; p < best->n_planets; p++) {
        result->log_odds[p] = NAN;
        pairs[p] = (planet_pair){best, p, &finder->rests.without[p]};
    }
    return planet_weighing_odds(finder->star, finder->options->n_fixed, best->n_planets - n_known,
                                pairs + n_known, result->log_odds + n_known);
}

/* Which of the periods that observing repeats each signal has; models in which one is another have
 * their planets weighed anew. With that the odds of each planet are known. */
static equant_status resolve_aliases(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    solution *best = &finder->pool.current;
    size_t n_known = finder->options->n_known, n_fixed = finder->options->n_fixed,
           n_before = best->n_planets;
    bool has_changed = false, has_swapped = false;
    equant_status status =
        alias_families_resolve(star, n_fixed, n_known, best, result->families, &has_changed);
    if (status == EQUANT_SUCCESS)
        status = alias_pairs_resolve(star, n_fixed, n_known, best, result->families, &result->pairs,
                                     &has_swapped);
    if (status == EQUANT_SUCCESS && has_swapped)
        status =
            alias_families_resolve(star, n_fixed, n_known, best, result->families, &has_changed);
    if (status == EQUANT_SUCCESS && (has_changed || has_swapped))
        status = drop_superfluous(finder, POLISH_TO_PUBLISH, result);
    if (status == EQUANT_SUCCESS)
        status = weigh_planets(finder, result);
    for (size_t p = n_known; p < best->n_planets && status == EQUANT_SUCCESS; p++) {
        status = alias_family_find(star, n_fixed, p, best, &finder->pool.trial, n_known, n_before,
                                   result->families);
        result->log_odds[p] += planet_odds_share(star, &result->families[p]);
    }
    return status;
}

/* How probable each planet is, those that were given sure. */
static void settle_odds(const planet_finder *finder, const planet_finder_result *result,
                        double probability[STUDY_MAX_PLANETS])
{
    double log_odds[STUDY_MAX_PLANETS], absence[STUDY_MAX_PLANETS], numbers[STUDY_MAX_PLANETS + 1];
    size_t n = finder->pool.current.n_planets;
    for (size_t p = 0; p < n; p++)
        log_odds[p] = p < finder->options->n_known ? INFINITY : result->log_odds[p];
    planet_odds_settle(n, log_odds, &result->together, probability, absence, numbers);
}

/* The planet found here that is least probable; n_planets where there is none. */
static size_t least_probable(const planet_finder *finder, const double *probability)
{
    size_t n = finder->pool.current.n_planets, least = n;
    for (size_t p = finder->options->n_known; p < n; p++)
        if (least == n || probability[p] < probability[least])
            least = p;
    return least;
}

/* A planet found here that is none after all: one that repeats with the observations, or else the
 * least probable. */
static size_t most_doubtful(const planet_finder *finder, const double *probability)
{
    for (size_t p = finder->options->n_known; p < finder->pool.current.n_planets; p++)
        if (observing_cycle_of(finder->star, &finder->pool.current, p))
            return p;
    return least_probable(finder, probability);
}

/* Planets that are not probable enough, or repeat with the observations, become candidates. */
static equant_status drop_doubtful(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    solution *best = &finder->pool.current, *with = &finder->pool.found[0];
    size_t n_fixed = finder->options->n_fixed;
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && finder->options->n_planets == 0) {
        double probability[STUDY_MAX_PLANETS];
        settle_odds(finder, result, probability);
        size_t p = most_doubtful(finder, probability);
        if (p == best->n_planets)
            return status;
        verdict judged = {.false_alarm = result->false_alarm[p],
                          .false_alarm_max = finder->options->false_alarm_max,
                          .probability = probability[p],
                          .probability_min = finder->options->probability_min,
                          .cycle = observing_cycle_of(star, best, p),
                          .delta_bic = result->gain_bic[p],
                          .measured = {.is_one = true}};
        if (!judged.cycle && judged.probability >= judged.probability_min)
            return status;
        solution_copy(star, best, with);
        solution_remove_planet(star, with, p);
        solution_add_planet(star, with, best->set + N_ELEMENTS * p);
        with->log_likelihood = best->log_likelihood;
        solution_remove_planet(star, best, p);
        result->together.n = 0;
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_PUBLISH, best);
        if (status == EQUANT_SUCCESS)
            status = noise_choice_improve(star, n_fixed, best);
        if (status == EQUANT_SUCCESS)
            status = keep_candidate(finder, with, &judged, result);
        if (status == EQUANT_SUCCESS)
            status = drop_superfluous(finder, POLISH_TO_PUBLISH, result);
        if (status == EQUANT_SUCCESS)
            status = resolve_aliases(finder, result);
    }
    return status;
}

/* The planet of a model that one with fewer of its planets lacks and that is the most probable, by
 * the odds of the result. */
static size_t best_left_out(const planet_finder_result *result, const solution *model,
                            const solution *rest)
{
    size_t best = model->n_planets;
    for (size_t p = 0; p < model->n_planets; p++) {
        bool is_left_out = true;
        for (size_t q = 0; q < rest->n_planets; q++)
            is_left_out =
                is_left_out &&
                fabs(log(rest->set[N_ELEMENTS * q] / model->set[N_ELEMENTS * p])) > SAME_PERIOD;
        if (is_left_out &&
            (best == model->n_planets || result->log_odds[p] > result->log_odds[best]))
            best = p;
    }
    return best;
}

/* The planets of `rest` are those of the star; of the others the most probable is refused. */
static equant_status take_rest(planet_finder *finder, const solution *rest, double log_odds,
                               planet_finder_result *result)
{
    study *star = finder->star;
    solution *best = &finder->pool.current, *with = &finder->pool.found[0];
    size_t p = best_left_out(result, best, rest);
    verdict judged = {.false_alarm = result->false_alarm[p],
                      .false_alarm_max = finder->options->false_alarm_max,
                      .probability = planet_odds_probability(-log_odds),
                      .probability_min = fmax(finder->options->probability_min, EVEN_ODDS),
                      .delta_bic = solution_bic(star, rest, 0) - solution_bic(star, best, 0),
                      .measured = {.is_one = true}};
    solution_copy(star, best, with);
    solution_remove_planet(star, with, p);
    solution_add_planet(star, with, best->set + N_ELEMENTS * p);
    solution_copy(star, rest, best);
    result->together.n = 0;
    equant_status status = keep_candidate(finder, with, &judged, result);
    if (status == EQUANT_SUCCESS)
        status = judge_with_noise(finder);
    if (status == EQUANT_SUCCESS)
        status = drop_superfluous(finder, POLISH_TO_PUBLISH, result);
    return status == EQUANT_SUCCESS ? resolve_aliases(finder, result) : status;
}

/* Planets that are less probable together than a model without them, noise chosen anew, go; what
 * is left is weighed again. */
static equant_status drop_together(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    solution *best = &finder->pool.current, *rest = &finder->pool.found[1];
    double log_odds = INFINITY;
    equant_status status = EQUANT_SUCCESS;
    if (!star->chooses_noise || finder->options->n_planets != 0)
        return status;
    while (status == EQUANT_SUCCESS && log_odds > 0.0) {
        status = planet_weighing_together(star, &finder->by, best, result, rest, &log_odds);
        if (status == EQUANT_SUCCESS && log_odds > 0.0)
            status = take_rest(finder, rest, log_odds, result);
    }
    return status;
}

/* How probable the candidate is beside the planets of the final model. */
static equant_status judge_candidate(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    const solution *candidate = &result->candidate;
    verdict *judged = &result->candidate_verdict;
    alias_family family;
    double log_odds;
    if (!result->has_candidate || !isnan(judged->probability) ||
        candidate->n_planets != finder->pool.current.n_planets + 1)
        return EQUANT_SUCCESS;
    equant_status status =
        alias_family_alone(star, finder->options->n_fixed, candidate->n_planets - 1, candidate,
                           &finder->pool.trial, &family);
    const planet_pair pair = {candidate, candidate->n_planets - 1, &finder->pool.current};
    if (status == EQUANT_SUCCESS)
        status = planet_weighing_odds(star, finder->options->n_fixed, 1, &pair, &log_odds);
    if (status == EQUANT_SUCCESS)
        judged->probability = planet_odds_probability(
            planet_odds_of_one(log_odds + planet_odds_share(star, &family), candidate->n_planets));
    return status;
}

/* Planets that later ones have made superfluous go again. */
static equant_status finish(planet_finder *finder, planet_finder_result *result)
{
    study *star = finder->star;
    equant_status status = drop_superfluous(finder, POLISH_TO_PUBLISH, result);
    if (status == EQUANT_SUCCESS)
        status = resolve_aliases(finder, result);
    if (status == EQUANT_SUCCESS)
        status = drop_together(finder, result);
    if (status == EQUANT_SUCCESS)
        status = drop_doubtful(finder, result);
    if (status == EQUANT_SUCCESS)
        status = judge_candidate(finder, result);
    if (status == EQUANT_SUCCESS)
        status = bound_periods(finder, result);
    if (status == EQUANT_SUCCESS)
        status = few_observations_ranges(star, finder->options->n_fixed, &finder->pool.current,
                                         result->ranges);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_try_all(star, finder->options->n_fixed, &finder->pool.current,
                                      result->noise_trials, result->indicator_trials);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &result->best);
    if (status == EQUANT_SUCCESS)
        solution_copy(star, &finder->pool.current, &result->best);
    return status;
}

equant_status planet_finder_run(study *star, const planet_finder_options *options,
                                planet_finder_result *result)
{
    bool chooses_noise = star->chooses_noise;
    planet_finder finder = {.star = star, .options = options};
    finder.by = (planet_weighing){options, &finder.significance};
    star->chooses_noise = false;
    memset(result, 0, sizeof *result);
    equant_status status = candidate_pool_create(&finder.pool, star, options);
    if (status == EQUANT_SUCCESS)
        status = begin(&finder, result);
    if (status == EQUANT_SUCCESS)
        status = chooses_noise ? search_with_noise(&finder, result) : add_planets(&finder, result);
    if (status == EQUANT_SUCCESS)
        status = finish(&finder, result);
    candidate_pool_free(&finder.pool);
    planet_rests_free(&finder.rests);
    if (status != EQUANT_SUCCESS)
        planet_finder_free(result);
    return status;
}

void planet_finder_free(planet_finder_result *result)
{
    solution_free(&result->best);
    solution_free(&result->without_planets);
    solution_free(&result->candidate);
}
