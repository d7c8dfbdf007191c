#include "inference/select/planets/planet_weighing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/select/aliases/planet_odds.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "inference/likelihood/study_crew.h"

static equant_status note(const study *star, const planet_weighing *by, const solution *made)
{
    return by->seen ? seen_models_note(star, made, by->seen) : EQUANT_SUCCESS;
}

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

void planet_rests_free(planet_rests *rests)
{
    for (size_t p = 0; p < STUDY_MAX_PLANETS; p++)
        solution_free(&rests->without[p]);
}

/* The planets of a solution, each to be done without. */
typedef struct weighing {
    const planet_weighing *by;
    const solution *best;
    planet_rests *rests;
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
    return status;
}

static equant_status weigh_planet(study *star, void *context, size_t p)
{
    const weighing *weighed = context;
    solution circle = {.set = NULL}, *without = &weighed->rests->without[p];
    equant_status status = without->set ? EQUANT_SUCCESS : solution_create(star, without);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &circle);
    if (status == EQUANT_SUCCESS)
        status = weigh_without(weighed, star, p, without, &circle);
    solution_free(&circle);
    return status;
}

equant_status planet_weighing_each(study *star, const planet_weighing *by, solution *best,
                                   planet_rests *rests, planet_finder_result *result)
{
    weighing weighed = {by, best, rests, result};
    equant_status status = study_report(star, "weighing planets", 0.0);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price(star, by->options->n_fixed, best);
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, best->n_planets, weigh_planet, &weighed);
    if (status == EQUANT_SUCCESS)
        status = note(star, by, best);
    for (size_t p = 0; p < best->n_planets && status == EQUANT_SUCCESS; p++)
        status = note(star, by, &rests->without[p]);
    return status;
}

/* ---- odds ----------------------------------------------------------------------------------- */

/* Of two choices of noise, own and other: the terms of the other, its outliers, or both; and from
 * MORE_TERMS on the terms of both with one that neither has. */
enum { OTHER_TERMS = 1, OTHER_OUTLIERS = 2, MORE_TERMS = 4 };
enum { N_CHOICES = MORE_TERMS + NOISE_MENU_MOST_TERMS };
enum { SIDE_WITH, SIDE_WITHOUT, N_SIDES };
/* A planet is certain where it is absent with less than this. */
#define CERTAIN 1e-9

/* A model with one choice of noise. */
typedef struct odds_model {
    bool is_offered, is_weighed;
    noise_choice noise;
    size_t same_as;   /* the model before that this is, by its place; its own where there is none */
    solution fitted;  /* its noise is paid for */
    double log_odds;  /* against the one without the planet, as it was found, but for the share */
    double log_share; /* ln of what the data leave of the prior of the planet; 0 without it */
} odds_model;

/* The odds of all planets: each a sum over models with it, over one of models without it. No model
 * needs another, so that all are made at once. */
typedef struct odds_sums {
    size_t n_fixed, n;
    const planet_pair *pairs;
    odds_model (*models)[N_SIDES][N_CHOICES]; /* [n] */
} odds_sums;

static odds_model *model_at(const odds_sums *sums, size_t index)
{
    return &sums->models[index / (N_SIDES * N_CHOICES)][index / N_CHOICES % N_SIDES]
                        [index % N_CHOICES];
}

static size_t place_of(size_t pair, size_t side, size_t what)
{
    return (pair * N_SIDES + side) * N_CHOICES + what;
}

static const planet_pair *pair_at(const odds_sums *sums, size_t index)
{
    return &sums->pairs[index / (N_SIDES * N_CHOICES)];
}

static const solution *own_of(const planet_pair *pair, size_t side)
{
    return side == SIDE_WITH ? pair->with : pair->without;
}

/* What a model is made of. */
static const solution *own_at(const odds_sums *sums, size_t index)
{
    return own_of(pair_at(sums, index), index / N_CHOICES % N_SIDES);
}

static bool has_same_terms(noise_choice one, noise_choice other)
{
    return one.terms == other.terms && one.indicators == other.indicators;
}

static noise_choice mix(noise_choice own, noise_choice other, size_t what)
{
    if (what >= MORE_TERMS)
        own.terms |= other.terms | 1u << (what - MORE_TERMS);
    else if (what & OTHER_TERMS) {
        own.terms = other.terms;
        own.indicators = other.indicators;
    }
    if (what < MORE_TERMS && what & OTHER_OUTLIERS)
        own.outliers = other.outliers;
    return own;
}

/* Whether a choice is one that there is and that is not there already. */
static bool is_offered(const study *star, noise_choice own, noise_choice other, size_t what)
{
    if (what >= MORE_TERMS)
        return star->chooses_noise &&
               noise_choice_may_add(star, own.terms | other.terms, what - MORE_TERMS);
    return !(what & OTHER_TERMS && has_same_terms(own, other)) &&
           !(what & OTHER_OUTLIERS && outlier_set_is_same(own.outliers, other.outliers));
}

/* The first model that is the same: planets of one fit share those with all of them. */
static size_t find_same(const odds_sums *sums, size_t index)
{
    const odds_model *wanted = model_at(sums, index);
    for (size_t i = 0; i < index; i++) {
        const odds_model *model = model_at(sums, i);
        if (model->is_offered && own_at(sums, i) == own_at(sums, index) &&
            has_same_terms(model->noise, wanted->noise) &&
            outlier_set_is_same(model->noise.outliers, wanted->noise.outliers))
            return i;
    }
    return index;
}

/* Offers choices from `first` on to both sides of a pair. */
static void offer(const study *star, odds_sums *sums, size_t pair, size_t first, size_t n)
{
    for (size_t side = 0; side < N_SIDES; side++)
        for (size_t what = first; what < first + n; what++) {
            odds_model *model = &sums->models[pair][side][what];
            noise_choice own = own_of(&sums->pairs[pair], side)->noise,
                         other = own_of(&sums->pairs[pair], N_SIDES - 1 - side)->noise;
            model->is_offered = is_offered(star, own, other, what);
            model->noise = mix(own, other, what);
        }
    for (size_t i = place_of(pair, 0, 0); i < place_of(pair + 1, 0, 0); i++)
        model_at(sums, i)->same_as = find_same(sums, i);
}

static equant_status make_model(study *star, void *context, size_t index)
{
    const odds_sums *sums = context;
    odds_model *model = model_at(sums, index);
    if (!model->is_offered || model->same_as != index || model->fitted.set)
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, &model->fitted);
    if (status != EQUANT_SUCCESS)
        return status;
    const solution *own = own_at(sums, index),
                   *made = weighed_models_find(star, pair_at(sums, index)->made, own, model->noise);
    solution_copy(star, made ? made : own, &model->fitted);
    if (made)
        return EQUANT_SUCCESS;
    if (index % N_CHOICES != 0)
        status = noise_choice_adopt(star, sums->n_fixed, model->noise, &model->fitted);
    return status == EQUANT_SUCCESS
               ? noise_choice_price_by_integral(star, sums->n_fixed, &model->fitted)
               : status;
}

static equant_status weigh_model(study *star, void *context, size_t index)
{
    const odds_sums *sums = context;
    size_t pair = index / (N_SIDES * N_CHOICES), side = index / N_CHOICES % N_SIDES;
    odds_model *model = model_at(sums, index);
    const solution *without = &sums->models[pair][SIDE_WITHOUT][0].fitted,
                   *own = &model_at(sums, model->same_as)->fitted;
    size_t planet = side == SIDE_WITH ? sums->pairs[pair].planet : own->n_planets;
    if (!model->is_offered || model->is_weighed)
        return EQUANT_SUCCESS;
    model->is_weighed = true;
    equant_status status =
        planet_odds_gain(star, sums->n_fixed, own, planet, without, &model->log_odds);
    return status == EQUANT_SUCCESS && side == SIDE_WITH
               ? planet_odds_own_share(star, sums->n_fixed, own, planet, &model->log_share)
               : status;
}

/* Beside other noise, or with an observation that was none of the planet's, its orbit is another:
 * each model has the share of its own, here over that of the first. */
static double sum_of(const odds_model models[N_CHOICES])
{
    double sum = models[0].log_odds;
    for (size_t what = 1; what < N_CHOICES; what++)
        sum = planet_odds_either(sum, models[what].log_odds + models[what].log_share -
                                          models[0].log_share);
    return sum;
}

/* What was made is kept where its pair says so. */
static equant_status keep_models(const study *star, const odds_sums *sums, size_t n_models)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n_models && status == EQUANT_SUCCESS; i++) {
        const odds_model *model = model_at(sums, i);
        weighed_models *kept = pair_at(sums, i)->made;
        if (kept && model->fitted.set &&
            !weighed_models_find(star, kept, own_at(sums, i), model->noise))
            status = weighed_models_keep(star, own_at(sums, i), model->noise, &model->fitted, kept);
    }
    return status;
}

static double odds_of(const odds_sums *sums, size_t pair)
{
    return sum_of(sums->models[pair][SIDE_WITH]) - sum_of(sums->models[pair][SIDE_WITHOUT]);
}

/* Whether a planet is there for certain whatever noise is offered besides. The BIC has refused each
 * such term beside the model without the planet, so that ln L rises by less than half of ln N for
 * each of its parameters, and models with the planet that have it can only speak for the planet. */
static bool is_certain(const study *star, const odds_sums *sums, size_t pair)
{
    double most_parameters = 0.0;
    for (size_t t = 0; t < star->menu.n_terms; t++)
        most_parameters = fmax(most_parameters, (double)star->menu.terms[t].kind->n_parameters);
    double by_noise =
        0.5 * most_parameters * log((double)star->n_obs) + log1p((double)star->menu.n_terms);
    return odds_of(sums, pair) + sums->models[pair][SIDE_WITH][0].log_share - by_noise >
           -log(CERTAIN);
}

static equant_status make_and_weigh(study *star, odds_sums *sums)
{
    size_t n_models = place_of(sums->n, 0, 0);
    equant_status status = study_crew_share(star, n_models, make_model, sums);
    return status == EQUANT_SUCCESS ? study_crew_share(star, n_models, weigh_model, sums) : status;
}

/* The noise of either model first, and what neither has where that may matter. */
static equant_status weigh_all(study *star, odds_sums *sums)
{
    for (size_t p = 0; p < sums->n; p++)
        offer(star, sums, p, 0, MORE_TERMS);
    equant_status status = make_and_weigh(star, sums);
    for (size_t p = 0; p < sums->n && status == EQUANT_SUCCESS; p++)
        if (!is_certain(star, sums, p))
            offer(star, sums, p, MORE_TERMS, N_CHOICES - MORE_TERMS);
    if (status == EQUANT_SUCCESS && star->chooses_noise)
        status = make_and_weigh(star, sums);
    return status == EQUANT_SUCCESS ? keep_models(star, sums, place_of(sums->n, 0, 0)) : status;
}

/* The odds of all pairs, and what their own models leave of the prior of the planets. */
static equant_status weigh_pairs(study *star, size_t n_fixed, size_t n, const planet_pair *pairs,
                                 double *log_odds, double *log_shares)
{
    odds_sums sums = {.n_fixed = n_fixed, .n = n, .pairs = pairs};
    sums.models = calloc(n + 1, sizeof *sums.models);
    if (!sums.models)
        return status_out_of_memory();
    for (size_t i = 0; i < place_of(n, 0, 0); i++)
        model_at(&sums, i)->log_odds = -INFINITY;
    equant_status status = weigh_all(star, &sums);
    for (size_t p = 0; p < n && status == EQUANT_SUCCESS; p++) {
        log_odds[p] = odds_of(&sums, p);
        log_shares[p] = sums.models[p][SIDE_WITH][0].log_share;
    }
    for (size_t i = 0; i < place_of(n, 0, 0); i++)
        solution_free(&model_at(&sums, i)->fitted);
    free(sums.models);
    return status;
}

equant_status planet_weighing_odds(study *star, size_t n_fixed, size_t n, const planet_pair *pairs,
                                   double *log_odds)
{
    double log_shares[STUDY_MAX_PLANETS];
    return weigh_pairs(star, n_fixed, n, pairs, log_odds, log_shares);
}

equant_status planet_weighing_probability(study *star, size_t n_fixed, const planet_pair *pair,
                                          double *probability)
{
    double log_odds = -INFINITY, log_share = 0.0;
    equant_status status = weigh_pairs(star, n_fixed, 1, pair, &log_odds, &log_share);
    if (status == EQUANT_SUCCESS)
        *probability = planet_odds_probability(
            planet_odds_of_one(log_odds + log_share, pair->with->n_planets));
    return status;
}

/* ---- together ------------------------------------------------------------------------------- */

/* ln of the odds of two models. */
static equant_status odds_between(study *star, const planet_weighing *by, solution *one,
                                  const solution *other, double *log_odds)
{
    const given_planets given = {by->options->n_known, by->options->n_fixed};
    solution paid = {.set = NULL};
    double of_one, of_other;
    equant_status status = solution_create(star, &paid);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, other, &paid);
    status = noise_choice_price_by_integral(star, given.n_fixed, one);
    if (status == EQUANT_SUCCESS)
        status = noise_choice_price_by_integral(star, given.n_fixed, &paid);
    if (status == EQUANT_SUCCESS)
        status = model_score(star, given, one, &of_one);
    if (status == EQUANT_SUCCESS)
        status = model_score(star, given, &paid, &of_other);
    if (status == EQUANT_SUCCESS)
        *log_odds = of_one - of_other;
    solution_free(&paid);
    return status;
}

/* Models with fewer and fewer of the planets of one. */
typedef struct thinning {
    const planet_weighing *by;
    const solution *best;
    size_t order[STUDY_MAX_PLANETS]; /* of the planets that were found, the least likely first */
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
    return status == EQUANT_SUCCESS
               ? odds_between(star, thinned->by, rest, thinned->best, &thinned->log_odds[i])
               : status;
}

const double *planet_weighing_ranks(const planet_finder_options *options,
                                    const planet_finder_result *result)
{
    return options->no_probabilities ? result->gain : result->log_odds;
}

static size_t sort_by_rank(const planet_finder_options *options, const solution *best,
                           const planet_finder_result *result, size_t *order)
{
    const double *ranks = planet_weighing_ranks(options, result);
    size_t n = 0;
    for (size_t p = options->n_known; p < best->n_planets; p++) {
        size_t place = n++;
        for (; place > 0 && ranks[order[place - 1]] > ranks[p]; place--)
            order[place] = order[place - 1];
        order[place] = p;
    }
    return n;
}

/* What was found out about the models that lack several planets. */
static void keep_absences(const thinning *thinned, size_t n, planet_absences *together)
{
    *together = (planet_absences){.n = n, .n_planets = thinned->best->n_planets};
    for (size_t i = 0; i < n; i++) {
        together->models[i].log_odds = thinned->log_odds[i];
        for (size_t k = 0; k < i + 2; k++)
            together->models[i].is_absent[thinned->order[k]] = true;
    }
}

equant_status planet_weighing_together(study *star, const planet_weighing *by, const solution *best,
                                       planet_finder_result *result, solution *rest,
                                       double *log_odds)
{
    thinning thinned = {.by = by, .best = best};
    size_t n = sort_by_rank(by->options, best, result, thinned.order);
    size_t n_rests = n > 1 ? n - 1 : 0;
    *log_odds = -INFINITY;
    equant_status status = study_report(star, "weighing planets", 0.0);
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, n_rests, thin_out, &thinned);
    for (size_t i = 0; i < n_rests; i++) {
        if (status == EQUANT_SUCCESS)
            status = note(star, by, &thinned.rests[i]);
        if (status == EQUANT_SUCCESS && thinned.log_odds[i] > *log_odds) {
            *log_odds = thinned.log_odds[i];
            solution_copy(star, &thinned.rests[i], rest);
        }
        solution_free(&thinned.rests[i]);
    }
    if (status == EQUANT_SUCCESS && !by->options->no_probabilities)
        keep_absences(&thinned, n_rests, &result->together);
    return status;
}

equant_status planet_weighing_other(study *star, const planet_weighing *by, const solution *best,
                                    solution *other, double *log_odds)
{
    equant_status status = refit(star, by->options->n_fixed, other);
    return status == EQUANT_SUCCESS ? odds_between(star, by, other, best, log_odds) : status;
}
