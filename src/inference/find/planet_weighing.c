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
    const solution *best, *paid; /* paid: its noise by an integral */
    planet_finder_result *result;
} weighing;

static bool has_same_terms(noise_choice one, noise_choice other)
{
    return one.terms == other.terms && one.indicators == other.indicators;
}

/* Of two choices of noise: the outliers of one, and the terms of the other or its outliers, or
 * both.
 */
enum { OTHER_TERMS = 1, OTHER_OUTLIERS = 2, BOTH_OTHER = OTHER_TERMS | OTHER_OUTLIERS };

static noise_choice mix(noise_choice own, noise_choice other, int what)
{
    return (noise_choice){.terms = what & OTHER_TERMS ? other.terms : own.terms,
                          .indicators = what & OTHER_TERMS ? other.indicators : own.indicators,
                          .outliers = what & OTHER_OUTLIERS ? other.outliers : own.outliers};
}

/* ln of the odds of a model, with its noise or any mixed of that and another, against `against`.
 * `planet` is left out of what both have. */
static equant_status sum_over_noises(study *star, size_t n_fixed, const solution *model,
                                     size_t planet, noise_choice other, const solution *against,
                                     solution *spare, double *log_odds)
{
    bool same_terms = has_same_terms(model->noise, other),
         same_outliers = outlier_set_is_same(model->noise.outliers, other.outliers);
    equant_status status = planet_odds_gain(star, n_fixed, model, planet, against, log_odds);
    for (int what = OTHER_TERMS; what <= BOTH_OTHER && status == EQUANT_SUCCESS; what++) {
        double more = -INFINITY;
        if ((what & OTHER_TERMS && same_terms) || (what & OTHER_OUTLIERS && same_outliers))
            continue;
        solution_copy(star, model, spare);
        status = noise_choice_adopt(star, n_fixed, mix(model->noise, other, what), spare);
        if (status == EQUANT_SUCCESS)
            status = noise_choice_price_by_integral(star, n_fixed, spare);
        if (status == EQUANT_SUCCESS)
            status = planet_odds_gain(star, n_fixed, spare, planet, against, &more);
        *log_odds = planet_odds_either(*log_odds, more);
    }
    return status;
}

/* ln of the odds of a planet, but for its share. Noise and outliers that the model with it has and
 * those that the one without it has are offered to both: a term that the BIC refuses beside the
 * planet may be most of what is believed there. */
static equant_status weigh_noises(study *star, size_t n_fixed, const solution *with, size_t planet,
                                  const solution *without, solution *spare, double *log_odds)
{
    double of_without = 0.0;
    equant_status status =
        sum_over_noises(star, n_fixed, with, planet, without->noise, without, spare, log_odds);
    if (status == EQUANT_SUCCESS)
        status = sum_over_noises(star, n_fixed, without, without->n_planets, with->noise, without,
                                 spare, &of_without);
    *log_odds -= of_without;
    return status;
}

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
    if (p < options->n_known)
        return EQUANT_SUCCESS;
    status = noise_choice_price_by_integral(star, options->n_fixed, without);
    return status == EQUANT_SUCCESS ? weigh_noises(star, options->n_fixed, weighed->paid, p,
                                                   without, circle, &result->log_odds[p])
                                    : status;
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
    solution paid = {.set = NULL};
    weighing weighed = {by, best, &paid, result};
    *weakest = best->n_planets;
    equant_status status = study_report(star, "weighing planets", 0.0);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, by->options->n_fixed, best);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &paid);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, best, &paid);
        status = noise_choice_price_by_integral(star, by->options->n_fixed, &paid);
    }
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, best->n_planets, weigh_planet, &weighed);
    solution_free(&paid);
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
