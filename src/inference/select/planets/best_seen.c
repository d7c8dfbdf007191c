#include "inference/select/planets/best_seen.h"

#include <math.h>

#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "inference/optimise/uncertainty.h"
#include "inference/select/planets/few_observations.h"
#include "inference/select/planets/observing_cycle.h"
#include "inference/select/planets/planet_doubts.h"
#include "inference/select/planets/rival.h"

/* In ln: models that differ by less are the same but for where their fits stopped. */
#define LEAST_LEAD 0.1
/* Moves at most: each weighs all planets, and may show models that were not seen before. */
enum { MOST_MOVES = 6 };

/* Whether few observations share in a planet that the current solution does not have. */
static equant_status is_of_few(study *star, const planet_search *search, const solution *model,
                               size_t planet, bool *few)
{
    double n_sharing;
    *few = false;
    if (rival_has_period(star, &search->pool.current, model->set[N_ELEMENTS * planet]))
        return EQUANT_SUCCESS;
    equant_status status = uncertainty_n_sharing(star, model, planet, &n_sharing);
    *few = !(n_sharing >= MEASUREMENT_SHARERS);
    return status;
}

/* Where models may have no outliers, planets that another model has more must still be more
 * probable than a few wrong observations: whether it has a lower score than the current one with
 * the worst observations not believed. */
static equant_status is_of_outliers(study *star, const planet_search *search,
                                    const seen_model *model, bool *is_so)
{
    const given_planets given = search->seen.given;
    const solution *current = &search->pool.current;
    solution doubting = {.set = NULL};
    double score = -INFINITY;
    *is_so = false;
    if (star->book.is_open || model->fitted.n_planets <= current->n_planets)
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, &doubting);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, current, &doubting);
    status = few_observations_disbelieve(star, given.n_fixed, &doubting);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price_by_integral(star, given.n_fixed, &doubting);
    if (status == EQUANT_SUCCESS)
        status = model_score(star, given, &doubting, &score);
    *is_so = score > model->score;
    solution_free(&doubting);
    return status;
}

/* Whether a model is the current one with more planets: the search has refused these. */
static bool adds_planets_alone(const study *star, const planet_search *search,
                               const solution *model)
{
    const solution *current = &search->pool.current;
    if (model->n_planets <= current->n_planets || model->trend_order != current->trend_order ||
        !noise_choice_is_same(model->noise, current->noise))
        return false;
    for (size_t p = 0; p < current->n_planets; p++)
        if (!rival_has_period(star, model, current->set[N_ELEMENTS * p]))
            return false;
    return true;
}

/* Why a model is no answer, as a clause behind "because"; NULL where it may be one. */
static equant_status find_objection(study *star, const planet_search *search,
                                    const seen_model *seen, const char **objection)
{
    const solution *model = &seen->fitted;
    bool is_measured = false, is_of_wrong = false;
    *objection = "the search refused a planet of it";
    if (adds_planets_alone(star, search, model))
        return EQUANT_SUCCESS;
    *objection = "the data leave an orbit open";
    equant_status status =
        uncertainty_measured(star, model, search->options->n_fixed, &is_measured);
    if (status != EQUANT_SUCCESS || !is_measured)
        return status;
    *objection = "a few wrong observations are more probable than its planets";
    status = is_of_outliers(star, search, seen, &is_of_wrong);
    if (status != EQUANT_SUCCESS || is_of_wrong)
        return status;
    *objection = NULL;
    for (size_t p = search->options->n_known;
         p < model->n_planets && status == EQUANT_SUCCESS && !*objection; p++) {
        bool few;
        status = is_of_few(star, search, model, p, &few);
        *objection = few ? "few observations share in a planet of it"
                     : observing_cycle_of(star, model, p)
                         ? "a planet of it repeats with the observations"
                         : NULL;
    }
    return status;
}

/* The best model, among those that are answers; the current solution is one. */
static equant_status find_best(planet_search *search, const seen_model **best)
{
    study *star = search->star;
    equant_status status;
    const char *objection;
    do {
        objection = NULL;
        status = seen_models_score(star, 0.0, &search->seen);
        *best = seen_models_best(&search->seen);
        if (status != EQUANT_SUCCESS || !*best)
            return status;
        if (!seen_models_are_same(star, &(*best)->fitted, &search->pool.current))
            status = find_objection(star, search, *best, &objection);
        if (status == EQUANT_SUCCESS && objection)
            seen_models_dismiss(*best, objection, &search->seen);
    } while (status == EQUANT_SUCCESS && objection);
    return status;
}

/* The score of the current solution, which is among the models seen. */
static equant_status score_of_current(planet_search *search, double *score)
{
    equant_status status = seen_models_note(search->star, &search->pool.current, &search->seen);
    if (status == EQUANT_SUCCESS)
        status = seen_models_score_of(search->star, &search->pool.current, &search->seen, score);
    return status;
}

/* Another solution takes the place of the current one, and is weighed. */
static equant_status move_to(planet_search *search, const solution *best,
                             planet_finder_result *result)
{
    study *star = search->star;
    solution_copy(star, best, &search->pool.current);
    result->together.n = 0;
    result->has_candidate = false; /* one beside other planets */
    equant_status status = maximum_likelihood_solution(star, search->options->n_fixed,
                                                       POLISH_TO_PUBLISH, &search->pool.current);
    if (status == EQUANT_SUCCESS)
        status = planet_search_judge(search);
    if (status == EQUANT_SUCCESS)
        status =
            planet_weighing_each(star, &search->by, &search->pool.current, &search->rests, result);
    return status == EQUANT_SUCCESS ? planet_doubts_resolve(search, result) : status;
}

equant_status best_seen_take(planet_search *search, planet_finder_result *result)
{
    equant_status status = EQUANT_SUCCESS;
    if (search->options->no_probabilities)
        return status;
    for (int moves = 0; status == EQUANT_SUCCESS && moves <= MOST_MOVES; moves++) {
        const seen_model *best = NULL;
        double score;
        status = score_of_current(search, &score);
        if (status == EQUANT_SUCCESS)
            status = find_best(search, &best);
        if (status != EQUANT_SUCCESS || !best)
            return status;
        result->score = score;
        result->best_score = best->score;
        if (!(best->score > score + LEAST_LEAD))
            return status;
        status = move_to(search, &best->fitted, result);
    }
    return status;
}
