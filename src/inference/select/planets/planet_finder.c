#include "inference/select/planets/planet_search.h"

#include <math.h>
#include <string.h>

#include "core/trend_order.h"
#include "inference/select/planets/best_seen.h"
#include "inference/select/planets/few_observations.h"
#include "inference/select/planets/noise_search.h"
#include "inference/select/planets/period_limit.h"
#include "inference/select/planets/planet_doubts.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"

/* The model without planets, and with those known. */
static equant_status begin(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    const planet_finder_options *options = search->options;
    solution *start = &search->pool.current;
    solution_set_trend(star, start, trend_order_of(options->trend));
    equant_status status = noise_choice_begin(star, start);
    if (status == EQUANT_SUCCESS)
        status = maximum_likelihood_solution(star, 0, POLISH_TO_PUBLISH, start);
    if (status == EQUANT_SUCCESS)
        status = candidate_pool_choose_trend(&search->pool, start);
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
        status = candidate_pool_choose_trend(&search->pool, start);
    if (status == EQUANT_SUCCESS)
        status = seen_models_note(star, start, &search->seen);
    if (status == EQUANT_SUCCESS)
        status = planet_search_judge(search);
    candidate_pool_begin(&search->pool);
    return status;
}

/* How far periods at a limit may lie inside it. */
static equant_status bound_periods(planet_search *search, planet_finder_result *result)
{
    const solution *best = &search->pool.current;
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = 0; p < best->n_planets && status == EQUANT_SUCCESS; p++) {
        bool is_fitted = p >= search->options->n_fixed;
        double period = best->set[N_ELEMENTS * p + ELEMENT_PERIOD];
        result->bound_days[p] = NAN;
        if (is_fitted && period_limit_of(search->star, period) != EQUANT_LIMIT_NONE)
            status = period_limit_bound(search->star, search->options->n_fixed, best, p,
                                        &search->pool.trial, &result->bound_days[p]);
    }
    return status;
}

static equant_status keep(planet_search *search, partial_knowledge knowledge,
                          const planet_finder_result *result)
{
    return partial_result_keep(search->star, &search->pool.current, knowledge, result,
                               &search->partial);
}

/* A fit of one planet has two models without planets: the one that the search began with, and the
 * fit less its planet, whose noise and trend may differ. The better of them is both. */
static void settle_absence(planet_search *search, planet_finder_result *result)
{
    const study *star = search->star;
    const solution *best = &search->pool.current, *rest = &search->rests.without[0];
    solution *first = &result->without_planets;
    if (best->n_planets != 1 || !rest->set || rest->n_planets != 0)
        return;
    if (solution_bic(star, rest, 0) < solution_bic(star, first, 0))
        solution_copy(star, rest, first);
    result->gain[0] = best->log_likelihood - first->log_likelihood;
    result->gain_bic[0] =
        solution_bic(star, first, 0) - solution_bic(star, best, search->options->n_fixed);
}

static equant_status find_rivals(planet_search *search, planet_finder_result *result)
{
    if (search->options->no_probabilities || search->options->n_planets != 0)
        return EQUANT_SUCCESS;
    return planet_rivals_find(search->star, &search->pool.current,
                              result->has_candidate ? &result->candidate : NULL, &search->seen,
                              &result->rivals);
}

/* Planets that later ones have made superfluous go again. */
static equant_status finish(planet_search *search, planet_finder_result *result)
{
    study *star = search->star;
    equant_status status = planet_search_drop(search, POLISH_TO_PUBLISH, result);
    if (status == EQUANT_SUCCESS)
        status = keep(search, PARTIAL_WEIGHED, result);
    if (status == EQUANT_SUCCESS)
        status = planet_doubts_resolve(search, result);
    if (status == EQUANT_SUCCESS)
        status = keep(search, PARTIAL_JUDGED, result);
    if (status == EQUANT_SUCCESS)
        status = planet_doubts_drop_together(search, result);
    if (status == EQUANT_SUCCESS)
        status = best_seen_take(search, result);
    if (status == EQUANT_SUCCESS)
        status = planet_doubts_drop_each(search, result);
    if (status == EQUANT_SUCCESS)
        settle_absence(search, result);
    if (status == EQUANT_SUCCESS)
        status = keep(search, PARTIAL_JUDGED, result);
    if (status == EQUANT_SUCCESS)
        status = planet_doubts_judge_candidate(search, result);
    if (status == EQUANT_SUCCESS)
        status = find_rivals(search, result);
    if (status == EQUANT_SUCCESS)
        status = bound_periods(search, result);
    if (status == EQUANT_SUCCESS)
        status = few_observations_ranges(star, search->options->n_fixed, &search->pool.current,
                                         result->ranges);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_try_all(star, search->options->n_fixed, &search->pool.current,
                                      result->noise_trials, result->indicator_trials);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &result->best);
    if (status == EQUANT_SUCCESS)
        solution_copy(star, &search->pool.current, &result->best);
    return status;
}

/* From the model without planets to the last word. */
static equant_status find_all(planet_search *search, bool chooses_noise,
                              planet_finder_result *result)
{
    equant_status status = begin(search, result);
    if (status == EQUANT_SUCCESS)
        status = keep(search, PARTIAL_FOUND, result);
    /* The first solution is made in any case. */
    search->star->deadline_s = search->options->end_s;
    if (status == EQUANT_SUCCESS)
        status =
            chooses_noise ? noise_search_run(search, result) : planet_search_add(search, result);
    return status == EQUANT_SUCCESS ? finish(search, result) : status;
}

equant_status planet_finder_run(study *star, const planet_finder_options *options,
                                planet_finder_result *result)
{
    bool chooses_noise = star->chooses_noise;
    planet_search search = {.star = star, .options = options};
    search.by = (planet_weighing){options, &search.significance, &search.seen};
    search.seen.given = (given_planets){options->n_known, options->n_fixed};
    search.seen.n_wanted = options->n_planets > 0 ? (size_t)options->n_planets : 0;
    star->chooses_noise = false;
    memset(result, 0, sizeof *result);
    equant_status status = candidate_pool_create(&search.pool, star, options);
    if (status == EQUANT_SUCCESS)
        status = find_all(&search, chooses_noise, result);
    if (status == EQUANT_ERROR_CANCELLED && (options->keeps_partial || star->is_late) &&
        search.partial.best.set)
        status = partial_result_take(star, &search.partial, result);
    star->chooses_noise = chooses_noise;
    result->is_out_of_time = search.is_out_of_time || star->is_late;
    candidate_pool_free(&search.pool);
    planet_rests_free(&search.rests);
    solution_free(&search.outweighed.model);
    solution_free(&search.other_way);
    weighed_models_free(&search.models);
    seen_models_free(&search.seen);
    partial_result_free(&search.partial);
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
