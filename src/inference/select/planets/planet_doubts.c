#include "inference/select/planets/planet_doubts.h"

#include <math.h>

#include "inference/select/planets/observing_cycle.h"
#include "inference/select/planets/rival.h"
#include "inference/select/aliases/planet_odds.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"

/* Of ln P: the same planet in two models. */
#define SAME_PERIOD 1e-2

/* ln of the odds of each planet that was found, but for its share. */
static equant_status weigh_planets(planet_search *search, planet_finder_result *result)
{
    const solution *best = &search->pool.current;
    size_t n_known = search->options->n_known;
    planet_pair pairs[STUDY_MAX_PLANETS];
    for (size_t p = 0; p < best->n_planets; p++) {
        result->log_odds[p] = NAN;
        pairs[p] = (planet_pair){best, p, &search->rests.without[p], &search->models};
    }
    weighed_models_free(&search->models);
    equant_status status =
        planet_weighing_odds(search->star, search->options->n_fixed, best->n_planets - n_known,
                             pairs + n_known, result->log_odds + n_known);
    for (size_t i = 0; i < search->models.n && status == EQUANT_SUCCESS; i++)
        status =
            seen_models_note(search->star, weighed_models_at(&search->models, i), &search->seen);
    return status;
}

/* Nothing is weighed: that is not known of any planet. */
static void leave_unweighed(const planet_search *search, planet_finder_result *result)
{
    for (size_t p = 0; p < search->pool.current.n_planets; p++) {
        result->log_odds[p] = NAN;
        result->families[p].n = 0;
    }
}

/* How many planets the families that are there belong to; those beside other noise or another trend
 * do not count. */
static size_t n_with_families(const planet_search *search)
{
    const solution *current = &search->pool.current;
    size_t n_known = search->options->n_known;
    return search->families.n > n_known && search->families.trend_order == current->trend_order &&
                   noise_choice_is_same(search->families.noise, current->noise)
               ? search->families.n
               : n_known;
}

/* The periods that the planets have, one by one and in pairs. */
static equant_status compare_aliases(planet_search *search, planet_finder_result *result,
                                     bool *has_changed)
{
    solution *best = &search->pool.current;
    size_t n_known = search->options->n_known, n_fixed = search->options->n_fixed;
    bool has_swapped = false;
    equant_status status =
        alias_families_resolve(search->star, n_fixed, n_known, n_with_families(search),
                               &search->seen, best, result->families, has_changed);
    if (status == EQUANT_SUCCESS)
        status = alias_pairs_resolve(search->star, n_fixed, n_known, best, result->families,
                                     &result->pairs, &has_swapped);
    if (status == EQUANT_SUCCESS && has_swapped)
        status = alias_families_resolve(search->star, n_fixed, n_known, best->n_planets,
                                        &search->seen, best, result->families, has_changed);
    *has_changed = *has_changed || has_swapped;
    return status;
}

/* ln of the evidence and prior of a solution. */
static equant_status score_of(planet_search *search, const solution *fitted, double *score)
{
    equant_status status = seen_models_note(search->star, fitted, &search->seen);
    return status == EQUANT_SUCCESS
               ? seen_models_score_of(search->star, fitted, &search->seen, score)
               : status;
}

/* The periods that families prefer are taken where the whole model has the higher score with them;
 * else each planet keeps its own. */
static equant_status keep_better(planet_search *search, const solution *before,
                                 planet_finder_result *result, bool *has_changed)
{
    solution *best = &search->pool.current;
    double score_before, score;
    equant_status status = score_of(search, before, &score_before);
    if (status == EQUANT_SUCCESS)
        status = score_of(search, best, &score);
    if (status != EQUANT_SUCCESS || score > score_before)
        return status;
    solution_copy(search->star, before, best);
    *has_changed = false;
    for (size_t p = search->options->n_known; p < best->n_planets; p++)
        alias_family_lead(best->set[N_ELEMENTS * p], &result->families[p]);
    return status;
}

static equant_status choose_aliases(planet_search *search, planet_finder_result *result,
                                    bool *has_changed)
{
    solution before = {.set = NULL};
    equant_status status = solution_create(search->star, &before);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(search->star, &search->pool.current, &before);
    status = compare_aliases(search, result, has_changed);
    if (status == EQUANT_SUCCESS && *has_changed)
        status = keep_better(search, &before, result, has_changed);
    solution_free(&before);
    return status;
}

equant_status planet_doubts_resolve(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    solution *best = &search->pool.current;
    size_t n_known = search->options->n_known, n_fixed = search->options->n_fixed,
           n_before = best->n_planets;
    bool has_changed = false;
    if (search->options->no_probabilities) {
        leave_unweighed(search, result);
        return EQUANT_SUCCESS;
    }
    equant_status status = choose_aliases(search, result, &has_changed);
    compared_families compared = {.noise = best->noise, .trend_order = best->trend_order};
    if (status == EQUANT_SUCCESS && has_changed)
        status = planet_search_drop(search, POLISH_TO_PUBLISH, result);
    if (status == EQUANT_SUCCESS)
        status = weigh_planets(search, result);
    for (size_t p = n_known; p < best->n_planets && status == EQUANT_SUCCESS; p++) {
        status = alias_family_find(star, n_fixed, p, best, &search->pool.trial, n_known, n_before,
                                   result->families);
        result->log_odds[p] += planet_odds_share(star, &result->families[p]);
    }
    compared.n = best->n_planets;
    search->families = compared;
    return status;
}

/* How probable each planet is, those that were given sure. */
static void settle_odds(const planet_search *search, const planet_finder_result *result,
                        double probability[STUDY_MAX_PLANETS])
{
    double log_odds[STUDY_MAX_PLANETS], absence[STUDY_MAX_PLANETS], numbers[STUDY_MAX_PLANETS + 1];
    size_t n = search->pool.current.n_planets;
    for (size_t p = 0; p < n; p++)
        log_odds[p] = p < search->options->n_known ? INFINITY : result->log_odds[p];
    planet_odds_settle(n, log_odds, &result->together, probability, absence, numbers);
}

/* The planet found here that is least probable; n_planets where there is none. */
static size_t least_probable(const planet_search *search, const double *probability)
{
    size_t n = search->pool.current.n_planets, least = n;
    for (size_t p = search->options->n_known; p < n; p++)
        if (least == n || probability[p] < probability[least])
            least = p;
    return least;
}

/* A planet found here that is none after all: one that repeats with the observations, or else the
 * least probable. */
static size_t most_doubtful(const planet_search *search, const double *probability)
{
    for (size_t p = search->options->n_known; p < search->pool.current.n_planets; p++)
        if (observing_cycle_of(search->star, &search->pool.current, p))
            return p;
    return search->options->no_probabilities ? search->pool.current.n_planets
                                             : least_probable(search, probability);
}

equant_status planet_doubts_drop_each(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    solution *best = &search->pool.current, *with = &search->pool.found[0];
    size_t n_fixed = search->options->n_fixed;
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && search->options->n_planets == 0) {
        double probability[STUDY_MAX_PLANETS];
        settle_odds(search, result, probability);
        size_t p = most_doubtful(search, probability);
        if (p == best->n_planets)
            return status;
        verdict judged = {.false_alarm = result->false_alarm[p],
                          .false_alarm_max = search->options->false_alarm_max,
                          .probability = probability[p],
                          .probability_min = search->options->probability_min,
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
            status = planet_search_refuse(search, with, &judged, result);
        if (status == EQUANT_SUCCESS)
            status = planet_search_drop(search, POLISH_TO_PUBLISH, result);
        if (status == EQUANT_SUCCESS)
            status = planet_doubts_resolve(search, result);
    }
    return status;
}

/* The planet of a model that one with fewer of its planets lacks and that has the highest rank. */
static size_t best_left_out(const double *ranks, const solution *model, const solution *rest)
{
    size_t best = model->n_planets;
    for (size_t p = 0; p < model->n_planets; p++) {
        bool is_left_out = true;
        for (size_t q = 0; q < rest->n_planets; q++)
            is_left_out =
                is_left_out &&
                fabs(log(rest->set[N_ELEMENTS * q] / model->set[N_ELEMENTS * p])) > SAME_PERIOD;
        if (is_left_out && (best == model->n_planets || ranks[p] > ranks[best]))
            best = p;
    }
    return best;
}

/* Looks for planets beside the noise of the current solution. Where there is none, and none that is
 * refused, either, the candidate stays. */
static equant_status look_again(planet_search *search, planet_finder_result *result)
{
    size_t n_before = search->pool.current.n_planets;
    equant_status status = planet_search_go_on(search, result);
    result->has_candidate = result->has_candidate || search->pool.current.n_planets == n_before;
    return status;
}

/* The planets of `rest` are those of the star; of the others the most probable is refused. Beside
 * noise that was not there before, planets may be looked for again. */
static equant_status take_rest(planet_search *search, const solution *rest, double log_odds,
                               bool looks_again, planet_finder_result *result)
{
    study *star = search->star;
    solution *best = &search->pool.current, *with = &search->pool.found[0];
    size_t p = best_left_out(planet_weighing_ranks(search->options, result), best, rest);
    verdict judged = {.false_alarm = result->false_alarm[p],
                      .false_alarm_max = search->options->false_alarm_max,
                      .probability = planet_odds_probability(-log_odds),
                      .probability_min = fmax(search->options->probability_min, EVEN_ODDS),
                      .delta_bic = solution_bic(star, rest, 0) - solution_bic(star, best, 0),
                      .measured = {.is_one = true}};
    solution_copy(star, best, with);
    solution_remove_planet(star, with, p);
    solution_add_planet(star, with, best->set + N_ELEMENTS * p);
    solution_copy(star, rest, best);
    result->together.n = 0;
    equant_status status = planet_search_refuse(search, with, &judged, result);
    if (status == EQUANT_SUCCESS)
        status = looks_again ? look_again(search, result) : planet_search_judge(search);
    if (status == EQUANT_SUCCESS)
        status = planet_search_drop(search, POLISH_TO_PUBLISH, result);
    return status == EQUANT_SUCCESS ? planet_doubts_resolve(search, result) : status;
}

/* Where planets have lost against a noise, what was found on the other way beside noise may be more
 * probable than what is left. */
static equant_status take_other_way(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    solution *best = &search->pool.current, *other = &search->other_way;
    double log_odds;
    if (!other->set)
        return EQUANT_SUCCESS;
    equant_status status = planet_weighing_other(star, &search->by, best, other, &log_odds);
    if (status != EQUANT_SUCCESS || !(log_odds > 0.0))
        return status;
    solution_copy(star, other, best);
    result->together.n = 0;
    result->has_candidate = false; /* one beside other planets */
    status = planet_search_judge(search);
    if (status == EQUANT_SUCCESS)
        status = planet_search_drop(search, POLISH_TO_PUBLISH, result);
    return status == EQUANT_SUCCESS ? planet_doubts_resolve(search, result) : status;
}

equant_status planet_doubts_drop_together(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    solution *best = &search->pool.current, *rest = &search->pool.found[1];
    double log_odds = INFINITY;
    bool has_looked_again = false; /* once: what is found may go together again */
    size_t n_before = best->n_planets;
    equant_status status = EQUANT_SUCCESS;
    if (!star->chooses_noise || search->options->n_planets != 0)
        return status;
    while (status == EQUANT_SUCCESS && log_odds > 0.0) {
        status = planet_weighing_together(star, &search->by, best, result, rest, &log_odds);
        if (status == EQUANT_SUCCESS && log_odds > 0.0)
            status = take_rest(search, rest, log_odds, !has_looked_again, result);
        has_looked_again = true;
    }
    return status == EQUANT_SUCCESS && best->n_planets < n_before ? take_other_way(search, result)
                                                                  : status;
}

/* The candidate that was refused last, where its probability is not known yet. */
static equant_status judge_refused(planet_search *search, planet_finder_result *result)
{
    const solution *candidate = &result->candidate;
    verdict *judged = &result->candidate_verdict;
    if (!result->has_candidate || !isnan(judged->probability) ||
        candidate->n_planets != search->pool.current.n_planets + 1)
        return EQUANT_SUCCESS;
    const planet_pair pair = {candidate, candidate->n_planets - 1, &search->pool.current,
                              &search->models};
    return planet_weighing_probability(search->star, search->options->n_fixed, &pair,
                                       &judged->probability);
}

/* Whether the noise of the current solution has the place of the planet that was outweighed. */
static bool is_outweighed(const planet_search *search)
{
    const solution *current = &search->pool.current, *model = &search->outweighed.model;
    return model->set && search->options->n_planets == 0 &&
           model->n_planets == current->n_planets + 1 &&
           !rival_has_period(search->star, current,
                             model->set[N_ELEMENTS * (model->n_planets - 1)]);
}

equant_status planet_doubts_judge_candidate(planet_search *search, planet_finder_result *result)
{
    const solution *current = &search->pool.current, *model = &search->outweighed.model;
    const planet_pair pair = {model, current->n_planets, current, &search->models};
    verdict judged = {.false_alarm = search->outweighed.false_alarm,
                      .false_alarm_max = search->options->false_alarm_max,
                      .probability_min = fmax(search->options->probability_min, EVEN_ODDS),
                      .measured = {.is_one = true}};
    if (search->options->no_probabilities)
        return EQUANT_SUCCESS;
    equant_status status = judge_refused(search, result);
    if (status != EQUANT_SUCCESS || !is_outweighed(search))
        return status;
    judged.delta_bic =
        solution_bic(search->star, current, 0) - solution_bic(search->star, model, 0);
    status = planet_weighing_probability(search->star, search->options->n_fixed, &pair,
                                         &judged.probability);
    bool is_better =
        !result->has_candidate || result->candidate_verdict.probability < judged.probability;
    return status == EQUANT_SUCCESS && is_better
               ? planet_search_refuse(search, model, &judged, result)
               : status;
}
