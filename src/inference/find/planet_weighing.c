#include "inference/find/planet_weighing.h"

#include <math.h>
#include <string.h>

#include "inference/find/planet_odds.h"
#include "inference/study/maximum_likelihood.h"
#include "inference/study/noise_choice.h"
#include "inference/study/study_crew.h"

/* A model that planets were taken from, refitted. */
static equant_status refit(study *star, size_t n_fixed, solution *without)
{
    equant_status status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, without);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_restart(star, n_fixed, without);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_improve(star, n_fixed, without);
    return status == EQUANT_SUCCESS ? noise_choice_price(star, n_fixed, without) : status;
}

equant_status planet_weighing_leave_out(study *star, const planet_weighing *by,
                                        const solution *fitted, size_t planet, solution *without)
{
    size_t n_fixed = by->options->n_fixed;
    solution_copy(star, fitted, without);
    solution_remove_planet(star, without, planet);
    return refit(star, n_fixed - (planet < n_fixed), without);
}

equant_status planet_weighing_false_alarm(study *star, const planet_weighing *by,
                                          const solution *with, size_t planet,
                                          const solution *without, solution *circle, double *alarm)
{
    const planet_finder_options *options = by->options;
    const double *elements = with->set + N_ELEMENTS * planet;
    *alarm = significance_of_planet(star, by->judge, with, without, elements[ELEMENT_PERIOD],
                                    elements[ELEMENT_ECCENTRICITY]);
    if (*alarm <= options->false_alarm_max || planet < options->n_fixed)
        return EQUANT_SUCCESS;
    solution_copy(star, with, circle);
    solution_remove_planet(star, circle, planet);
    solution_add_planet(star, circle, elements);
    equant_status status =
        maximum_likelihood_circle(star, options->n_fixed, POLISH_TO_RANK, circle);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, options->n_fixed, circle);
    if (status == EQUANT_SUCCESS)
        *alarm = fmin(*alarm, significance_of_planet(
                                  star, by->judge, circle, without,
                                  circle->set[N_ELEMENTS * circle->n_planets - N_ELEMENTS], 0.0));
    return status;
}

/* ---- each ----------------------------------------------------------------------------------- */

/* The planets of a solution, each to be done without. */
typedef struct weighing {
    const planet_weighing *by;
    const solution *best;
    planet_finder_result *result;
} weighing;

static equant_status weigh_without(const weighing *weighed, study *star, size_t p,
                                   solution *without, solution *circle)
{
    const planet_finder_options *options = weighed->by->options;
    planet_finder_result *result = weighed->result;
    const solution *best = weighed->best;
    equant_status status = planet_weighing_leave_out(star, weighed->by, best, p, without);
    if (status == EQUANT_SUCCESS)
        status = planet_weighing_false_alarm(star, weighed->by, best, p, without, circle,
                                             &result->false_alarm[p]);
    if (status != EQUANT_SUCCESS)
        return status;
    double n_freed = (p < options->n_fixed ? 0.0 : N_ELEMENTS) +
                     (double)noise_menu_n_chosen(&star->menu, best->noise) -
                     (double)noise_menu_n_chosen(&star->menu, without->noise);
    result->gain[p] = best->log_likelihood - without->log_likelihood;
    double freed_price =
        outlier_set_price(best->noise.outliers) - outlier_set_price(without->noise.outliers);
    result->gain_bic[p] =
        2.0 * (result->gain[p] - freed_price) - n_freed * log((double)star->n_obs);
    result->log_odds[p] = NAN;
    return p < options->n_known
               ? status
               : planet_odds_gain(star, options->n_fixed, best, p, without, &result->log_odds[p]);
}

static equant_status weigh_planet(study *star, void *context, size_t p)
{
    solution without = {.set = NULL}, circle = {.set = NULL};
    equant_status status = solution_create(star, &without);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &circle);
    if (status == EQUANT_SUCCESS)
        status = weigh_without(context, star, p, &without, &circle);
    solution_free(&without);
    solution_free(&circle);
    return status;
}

equant_status planet_weighing_each(study *star, const planet_weighing *by, solution *best,
                                   planet_finder_result *result, size_t *weakest)
{
    double largest = -1.0;
    weighing weighed = {by, best, result};
    *weakest = best->n_planets;
    equant_status status = study_report(star, "weighing planets", 0.0);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, by->options->n_fixed, best);
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, best->n_planets, weigh_planet, &weighed);
    for (size_t p = by->options->n_known; p < best->n_planets; p++)
        if (status == EQUANT_SUCCESS && result->false_alarm[p] > largest) {
            largest = result->false_alarm[p];
            *weakest = p;
        }
    return status;
}

/* ---- together ------------------------------------------------------------------------------- */

/* Models with fewer and fewer of the planets of one. */
typedef struct thinning {
    const planet_weighing *by;
    const solution *best;
    size_t order[STUDY_MAX_PLANETS]; /* of the planets that were found, the least probable first */
    solution rests[STUDY_MAX_PLANETS];
    double log_odds[STUDY_MAX_PLANETS]; /* of each rest against all planets */
} thinning;

static bool is_among(size_t n, const size_t *list, size_t planet)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == planet)
            return true;
    return false;
}

/* Without the first i + 2 planets of the order. */
static equant_status thin_out(study *star, void *context, size_t i)
{
    thinning *thinned = context;
    const planet_finder_options *options = thinned->by->options;
    solution *rest = &thinned->rests[i];
    equant_status status = solution_create(star, rest);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, thinned->best, rest);
    for (size_t p = thinned->best->n_planets; p-- > 0;)
        if (is_among(i + 2, thinned->order, p))
            solution_remove_planet(star, rest, p);
    status = refit(star, options->n_fixed, rest);
    return status == EQUANT_SUCCESS ? planet_odds_between(star, options->n_known, rest,
                                                          thinned->best, &thinned->log_odds[i])
                                    : status;
}

static size_t sort_by_odds(const planet_finder_options *options, const solution *best,
                           const planet_finder_result *result, size_t *order)
{
    size_t n = 0;
    for (size_t p = options->n_known; p < best->n_planets; p++) {
        size_t place = n++;
        for (; place > 0 && result->log_odds[order[place - 1]] > result->log_odds[p]; place--)
            order[place] = order[place - 1];
        order[place] = p;
    }
    return n;
}

equant_status planet_weighing_together(study *star, const planet_weighing *by, const solution *best,
                                       const planet_finder_result *result, solution *rest,
                                       double *log_odds)
{
    thinning thinned = {.by = by, .best = best};
    size_t n = sort_by_odds(by->options, best, result, thinned.order);
    size_t n_rests = n > 1 ? n - 1 : 0;
    *log_odds = -INFINITY;
    equant_status status = study_report(star, "weighing planets", 0.0);
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, n_rests, thin_out, &thinned);
    for (size_t i = 0; i < n_rests; i++) {
        if (status == EQUANT_SUCCESS && thinned.log_odds[i] > *log_odds) {
            *log_odds = thinned.log_odds[i];
            solution_copy(star, &thinned.rests[i], rest);
        }
        solution_free(&thinned.rests[i]);
    }
    return status;
}
