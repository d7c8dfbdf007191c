#include "inference/find/planet_finder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/trend_order.h"
#include "inference/find/differential_evolution.h"
#include "inference/find/next_planet.h"
#include "inference/study/maximum_likelihood.h"
#include "inference/scan/significance.h"
#include "inference/study/trend.h"
#include "inference/study/uncertainty.h"

/* Solutions that are carried on side by side, where they are nearly as good as the best. */
enum { BEAM = 3, POOL = 24 };
#define BEAM_MARGIN 5.0
#define SECOND_THOUGHT_MARGIN 15.0
/* Peaks refined after a scan for a new planet, and after one that checks an old one. */
enum { N_PEAKS = 40, N_PEAKS_CHECK = 8, N_JOINT = 24 };
/* An orbit more eccentric than this may be two in disguise. */
#define DISGUISE_ECCENTRICITY 0.2
/* Only the first planet is looked for among the most eccentric orbits, which are most of the
 * grid; the fit may still make any planet as eccentric as the data say. */
#define SECOND_ECCENTRICITY 0.7
#define LATER_ECCENTRICITY 0.5
/* By how much another orbit's score must be better for it to take the place of one found
 * before. */
#define REPLACE_GAIN 0.5

typedef struct hunt_state {
    study *star;
    const planet_finder_options *options;
    scan_grid first_grid, second_grid, later_grid, circular_grid;
    significance significance;
    solution current;    /* accepted so far */
    solution beam[BEAM]; /* its best forms, the first of them `current` */
    size_t n_beam;
    solution pool[POOL]; /* with one planet more */
    size_t n_pool;
    solution trial, check;
} hunt_state;

static void state_free(hunt_state *hunt)
{
    solution_free(&hunt->current);
    solution_free(&hunt->trial);
    solution_free(&hunt->check);
    for (size_t i = 0; i < BEAM; i++)
        solution_free(&hunt->beam[i]);
    for (size_t i = 0; i < POOL; i++)
        solution_free(&hunt->pool[i]);
}

static scan_grid grid_to(const study *star, double eccentricity_max)
{
    return scan_grid_make(star->span_days, star->period_min_days, star->period_max_days,
                          eccentricity_max);
}

static equant_status state_create(hunt_state *hunt, study *star,
                                  const planet_finder_options *options)
{
    memset(hunt, 0, sizeof *hunt);
    hunt->star = star;
    hunt->options = options;
    double most = options->eccentricity_max;
    hunt->first_grid = grid_to(star, most);
    hunt->second_grid = grid_to(star, fmin(most, SECOND_ECCENTRICITY));
    hunt->later_grid = grid_to(star, fmin(most, LATER_ECCENTRICITY));
    hunt->circular_grid = grid_to(star, 0.0);
    equant_status status = solution_create(star, &hunt->current);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &hunt->trial);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &hunt->check);
    for (size_t i = 0; i < BEAM && status == EQUANT_SUCCESS; i++)
        status = solution_create(star, &hunt->beam[i]);
    for (size_t i = 0; i < POOL && status == EQUANT_SUCCESS; i++)
        status = solution_create(star, &hunt->pool[i]);
    return status;
}

static equant_status reconsider_trend(hunt_state *hunt, solution *fitted)
{
    if (hunt->options->trend != EQUANT_TREND_DEFAULT)
        return EQUANT_SUCCESS;
    /* Planets to keep are not there yet in the model without planets. */
    size_t n_fixed = fitted->n_planets < hunt->options->n_fixed ? 0 : hunt->options->n_fixed;
    return trend_choose(hunt->star, n_fixed, fitted);
}

/* Looks again for each planet but the last and those known, now that the last is
 * there: what was taken for it before may have been an alias, or a mixture of the two. */
static equant_status reconsider_planets(hunt_state *hunt, solution *fitted)
{
    study *star = hunt->star;
    size_t n_fixed = hunt->options->n_fixed, p = hunt->options->n_known, n_found;
    equant_status status = EQUANT_SUCCESS;
    size_t n_checks = fitted->n_planets > p + 1 ? fitted->n_planets - p - 1 : 0;
    for (size_t check = 0; check < n_checks && status == EQUANT_SUCCESS; check++) {
        planet_scan scan;
        solution_copy(star, fitted, &hunt->trial);
        solution_remove_planet(star, &hunt->trial, p);
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, &hunt->trial);
        if (status == EQUANT_SUCCESS)
            status = planet_scan_create(star, &hunt->trial, n_fixed, &hunt->circular_grid,
                                        "checking planets", &scan);
        if (status != EQUANT_SUCCESS)
            break;
        status = next_planet_refine(star, &scan, &hunt->trial, n_fixed, N_PEAKS_CHECK, true, 1,
                                    &hunt->check, &n_found);
        planet_scan_free(&scan);
        bool better =
            status == EQUANT_SUCCESS && n_found > 0 && hunt->check.measured >= fitted->measured &&
            solution_score(star, &hunt->check) > solution_score(star, fitted) + REPLACE_GAIN;
        if (better)
            solution_copy(star, &hunt->check,
                          fitted); /* its new planet is last, the next one here */
        else
            p++;
    }
    return status;
}

/* Sorts the pool, measured solutions first, then by score, and drops those that repeat a
 * better one. */
static void sort_pool(hunt_state *hunt)
{
    const study *star = hunt->star;
    solution *pool = hunt->pool;
    for (size_t i = 1; i < hunt->n_pool; i++)
        for (size_t j = i; j > 0; j--) {
            bool better = pool[j].measured != pool[j - 1].measured
                              ? pool[j].measured
                              : solution_score(star, &pool[j]) > solution_score(star, &pool[j - 1]);
            if (!better)
                break;
            solution kept = pool[j];
            pool[j] = pool[j - 1];
            pool[j - 1] = kept;
        }
    size_t n = 0;
    for (size_t i = 0; i < hunt->n_pool; i++) {
        bool repeated = false;
        for (size_t j = 0; j < n && !repeated; j++)
            repeated = next_planet_same(star, &pool[i], &pool[j]);
        if (repeated)
            continue;
        solution kept = pool[n]; /* swapped, not copied over: each owns its memory */
        pool[n++] = pool[i];
        pool[i] = kept;
    }
    hunt->n_pool = n;
}

/* Puts two planets in the place of one, where one of the accepted might be two. */
static equant_status split_planets(hunt_state *hunt)
{
    study *star = hunt->star;
    size_t n_fixed = hunt->options->n_fixed;
    const solution *current = &hunt->current;
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = hunt->options->n_known; p < current->n_planets && status == EQUANT_SUCCESS;
         p++) {
        size_t n_found = 0;
        if (current->n_planets > 1 &&
            current->set[N_ELEMENTS * p + ELEMENT_ECCENTRICITY] < DISGUISE_ECCENTRICITY)
            continue;
        if (hunt->n_pool >= POOL)
            break;
        solution_copy(star, current, &hunt->trial);
        solution_remove_planet(star, &hunt->trial, p);
        if (hunt->options->trend == EQUANT_TREND_DEFAULT)
            solution_set_trend(star, &hunt->trial, 0); /* it may have been a planet, too */
        status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, &hunt->trial);
        if (status == EQUANT_SUCCESS)
            status = next_planet_joint(star, &hunt->trial, n_fixed, N_JOINT, 1,
                                       hunt->pool + hunt->n_pool, &n_found);
        hunt->n_pool += n_found;
    }
    return status;
}

/* Adds to the pool the best solutions of one planet more behind a background. */
static equant_status extend(hunt_state *hunt, const solution *background, const scan_grid *grid,
                            size_t n_peaks, size_t n_wanted)
{
    study *star = hunt->star;
    char stage[64];
    planet_scan scan;
    size_t n_found = 0, n_fixed = hunt->options->n_fixed, room = POOL - hunt->n_pool;
    snprintf(stage, sizeof stage, "searching for planet %zu", background->n_planets + 1);
    equant_status status = planet_scan_create(star, background, n_fixed, grid, stage, &scan);
    if (status != EQUANT_SUCCESS)
        return status;
    status =
        next_planet_refine(star, &scan, background, n_fixed, n_peaks, true,
                           n_wanted < room ? n_wanted : room, hunt->pool + hunt->n_pool, &n_found);
    planet_scan_free(&scan);
    hunt->n_pool += n_found;
    return status;
}

/* Fills the pool from all of the beam. */
static equant_status extend_beam(hunt_state *hunt)
{
    study *star = hunt->star;
    equant_status status = EQUANT_SUCCESS;
    hunt->n_pool = 0;
    for (size_t i = 0; i < hunt->n_beam && status == EQUANT_SUCCESS; i++) {
        const solution *background = &hunt->beam[i];
        const scan_grid *grid = background->n_planets == 0   ? &hunt->first_grid
                                : background->n_planets == 1 ? &hunt->second_grid
                                                             : &hunt->later_grid;
        status = extend(hunt, background, grid, N_PEAKS, BEAM);
        if (status != EQUANT_SUCCESS || background->trend_order == 0 ||
            hunt->options->trend != EQUANT_TREND_DEFAULT)
            continue;
        /* What was taken for a trend may have been a long period. */
        solution_copy(star, background, &hunt->trial);
        solution_set_trend(star, &hunt->trial, 0);
        status =
            maximum_likelihood_solution(star, hunt->options->n_fixed, POLISH_TO_RANK, &hunt->trial);
        if (status == EQUANT_SUCCESS)
            status = extend(hunt, &hunt->trial, &hunt->circular_grid, N_PEAKS_CHECK, 1);
    }
    if (status == EQUANT_SUCCESS)
        status = split_planets(hunt);
    if (status == EQUANT_SUCCESS)
        sort_pool(hunt);
    return status;
}

/* The other way to fill the pool: all planets at once, without a periodogram. */
static equant_status evolve(hunt_state *hunt)
{
    study *star = hunt->star;
    const planet_finder_options *wanted = hunt->options;
    solution *trial = &hunt->trial;
    solution_copy(star, &hunt->current, trial);
    while (trial->n_planets <= hunt->current.n_planets)
        solution_add_planet(star, trial,
                            (const double[N_ELEMENTS]){star->span_days, 0.0, 0.0, 0.0, 0.0});
    parameter_layout layout = study_layout(star, trial->n_planets, trial->trend_order);
    differential_evolution_options options = {.n_planets = trial->n_planets,
                                              .trend_order = trial->trend_order,
                                              .period_min_days = star->period_min_days,
                                              .period_max_days = star->period_max_days,
                                              .eccentricity_max = wanted->eccentricity_max,
                                              .no_jitter = !star->with_jitter,
                                              .seed = wanted->seed,
                                              .progress = star->progress,
                                              .progress_context = star->progress_context};
    double log_likelihood;
    equant_status status = differential_evolution_run(
        star->dataset, &star->fit_engine, &options, trial->set,
        trial->set + layout.columns[TERM_JITTERS].first, &log_likelihood);
    hunt->n_pool = 0;
    if (status == EQUANT_SUCCESS)
        status = next_planet_choose(star, trial, 0, 1, trial->set, 1, hunt->pool, &hunt->n_pool);
    if (status == EQUANT_SUCCESS && hunt->n_pool > 0)
        status = reconsider_trend(hunt, &hunt->pool[0]);
    return status;
}

/* The accepted solution becomes the head of the next beam, the near misses follow. */
static void accept_pool(hunt_state *hunt)
{
    const study *star = hunt->star;
    solution_copy(star, &hunt->pool[0], &hunt->current);
    hunt->n_beam = 0;
    for (size_t i = 0; i < hunt->n_pool && hunt->n_beam < BEAM; i++)
        if (solution_score(star, &hunt->pool[i]) >
            solution_score(star, &hunt->pool[0]) - BEAM_MARGIN)
            solution_copy(star, &hunt->pool[i], &hunt->beam[hunt->n_beam++]);
}

/* The model without planets, and with those known. */
static equant_status begin(hunt_state *hunt, planet_finder_result *result)
{
    study *star = hunt->star;
    const planet_finder_options *options = hunt->options;
    solution *start = &hunt->current;
    solution_set_trend(star, start, trend_order_of(options->trend));
    equant_status status = maximum_likelihood_solution(star, 0, POLISH_TO_PUBLISH, start);
    if (status == EQUANT_SUCCESS)
        status = reconsider_trend(hunt, start);
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
        status = reconsider_trend(hunt, start);
    if (status == EQUANT_SUCCESS)
        status = significance_create(star, &hunt->first_grid, start, &hunt->significance);
    solution_copy(star, start, &hunt->beam[0]);
    hunt->n_beam = 1;
    return status;
}

/* The most planets that the data can carry: five parameters each, and one observation over. */
static size_t planets_at_most(const hunt_state *hunt)
{
    const study *star = hunt->star;
    size_t taken = solution_n_fitted(star, &hunt->current, hunt->options->n_fixed) -
                   N_ELEMENTS * (hunt->current.n_planets - hunt->options->n_fixed);
    size_t carried = star->n_obs > taken + 1 ? (star->n_obs - taken - 1) / 5 : 0;
    size_t asked = hunt->options->n_planets > 0 ? (size_t)hunt->options->n_planets
                                                : hunt->options->max_planets;
    if (hunt->options->n_planets < 0)
        asked = 0;
    size_t most =
        asked < carried + hunt->options->n_fixed ? asked : carried + hunt->options->n_fixed;
    return most < STUDY_MAX_PLANETS ? most : STUDY_MAX_PLANETS;
}

/* Second thoughts about every solution that may still turn out the best. */
static equant_status reconsider_pool(hunt_state *hunt)
{
    const study *star = hunt->star;
    double best = -INFINITY;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < hunt->n_pool; i++)
        best = fmax(best, solution_score(star, &hunt->pool[i]));
    for (size_t i = 0; i < hunt->n_pool && status == EQUANT_SUCCESS; i++) {
        solution *fitted = &hunt->pool[i];
        if (solution_score(star, fitted) < best - SECOND_THOUGHT_MARGIN)
            continue;
        status = reconsider_planets(hunt, fitted);
        if (status == EQUANT_SUCCESS)
            status = reconsider_trend(hunt, fitted);
        if (status == EQUANT_SUCCESS)
            status =
                uncertainty_measured(hunt->star, fitted, hunt->options->n_fixed, &fitted->measured);
    }
    if (status == EQUANT_SUCCESS)
        sort_pool(hunt);
    return status;
}

/* Moves the planet that a solution has and `before` lacks to its end: the one whose frequency is
 * farthest from any of those. Second thoughts, and two planets for one, leave it anywhere. */
static void put_new_planet_last(const study *star, const solution *before, solution *fitted)
{
    double farthest = -1.0, elements[N_ELEMENTS];
    size_t newest = 0;
    for (size_t p = 0; p < fitted->n_planets; p++) {
        double nearest = INFINITY;
        for (size_t q = 0; q < before->n_planets; q++)
            nearest = fmin(nearest, fabs(1.0 / fitted->set[N_ELEMENTS * p] -
                                         1.0 / before->set[N_ELEMENTS * q]));
        if (nearest > farthest) {
            farthest = nearest;
            newest = p;
        }
    }
    memcpy(elements, fitted->set + N_ELEMENTS * newest, sizeof elements);
    solution_remove_planet(star, fitted, newest);
    solution_add_planet(star, fitted, elements);
}

/* `fitted` without one of its planets, all else refitted, into `without`. */
static equant_status leave_out(hunt_state *hunt, const solution *fitted, size_t planet,
                               solution *without)
{
    size_t n_fixed = hunt->options->n_fixed;
    solution_copy(hunt->star, fitted, without);
    solution_remove_planet(hunt->star, without, planet);
    n_fixed -= planet < n_fixed;
    return maximum_likelihood_solution(hunt->star, n_fixed, POLISH_TO_RANK, without);
}

/* The false-alarm probability of one planet of `with`, compared with a solution that lacks it:
 * as the orbit it has or, where that is not enough, as the circle that noise mimics least. */
static equant_status false_alarm_of(hunt_state *hunt, const solution *with, size_t planet,
                                    const solution *without, double *alarm)
{
    study *star = hunt->star;
    const double *elements = with->set + N_ELEMENTS * planet;
    *alarm = significance_of_planet(star, &hunt->significance, with, without,
                                    elements[ELEMENT_PERIOD], elements[ELEMENT_ECCENTRICITY]);
    if (*alarm <= hunt->options->false_alarm_max || planet < hunt->options->n_fixed)
        return EQUANT_SUCCESS;
    solution *circle = &hunt->check;
    solution_copy(star, with, circle);
    solution_remove_planet(star, circle, planet);
    solution_add_planet(star, circle, elements);
    equant_status status =
        maximum_likelihood_circle(star, hunt->options->n_fixed, POLISH_TO_RANK, circle);
    if (status == EQUANT_SUCCESS)
        *alarm = fmin(*alarm, significance_of_planet(
                                  star, &hunt->significance, circle, without,
                                  circle->set[N_ELEMENTS * circle->n_planets - N_ELEMENTS], 0.0));
    return status;
}

/* Whether the best of the pool is worth having instead of the current solution, with the
 * false-alarm probability of its last planet. Where it has taken the place of a trend, that is
 * measured against a model with neither; the BIC then says which of the two it is. */
static equant_status weigh_pool(hunt_state *hunt, double *alarm, bool *significant)
{
    study *star = hunt->star;
    const solution *best = &hunt->pool[0];
    solution *without = &hunt->trial;
    equant_status status = EQUANT_SUCCESS;
    *alarm = 1.0;
    solution_copy(star, &hunt->current, without);
    if (best->trend_order < without->trend_order) {
        solution_set_trend(star, without, best->trend_order);
        status = maximum_likelihood_solution(star, hunt->options->n_fixed, POLISH_TO_RANK, without);
    }
    if (status == EQUANT_SUCCESS)
        status = false_alarm_of(hunt, best, best->n_planets - 1, without, alarm);
    *significant = best->measured && *alarm <= hunt->options->false_alarm_max &&
                   solution_bic(star, best, 0) < solution_bic(star, &hunt->current, 0);
    return status;
}

/* Where no planet is significant alone, two may be: each must then be so beside the other. */
static equant_status try_two_more(hunt_state *hunt, size_t most, bool *accepted)
{
    study *star = hunt->star;
    solution *both = &hunt->pool[0];
    size_t n_found = 0;
    equant_status status = EQUANT_SUCCESS;
    *accepted = false;
    if (hunt->current.n_planets + 2 > most || hunt->options->method != EQUANT_FIT_SCAN)
        return EQUANT_SUCCESS;
    status =
        next_planet_joint(star, &hunt->current, hunt->options->n_fixed, N_JOINT, 1, both, &n_found);
    if (status != EQUANT_SUCCESS || n_found == 0)
        return status;
    hunt->n_pool = 1;
    status = reconsider_trend(hunt, both);
    if (status == EQUANT_SUCCESS)
        status = uncertainty_measured(star, both, hunt->options->n_fixed, &both->measured);
    bool good =
        both->measured && solution_bic(star, both, 0) < solution_bic(star, &hunt->current, 0);
    for (size_t p = hunt->current.n_planets; p < both->n_planets && good; p++) {
        double alarm = 1.0;
        status = leave_out(hunt, both, p, &hunt->trial);
        if (status == EQUANT_SUCCESS)
            status = false_alarm_of(hunt, both, p, &hunt->trial, &alarm);
        if (status != EQUANT_SUCCESS)
            return status;
        good = alarm <= hunt->options->false_alarm_max;
    }
    *accepted = good;
    return status;
}

/* Remembers what was refused. */
static equant_status keep_candidate(const hunt_state *hunt, double alarm,
                                    planet_finder_result *result)
{
    const solution *best = &hunt->pool[0];
    if (!result->candidate.set) {
        equant_status status = solution_create(hunt->star, &result->candidate);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    solution_copy(hunt->star, best, &result->candidate);
    result->candidate_false_alarm = alarm;
    result->candidate_gain = best->log_likelihood - hunt->current.log_likelihood;
    result->has_candidate = true;
    return EQUANT_SUCCESS;
}

/* Adds planets while they are significant, or as many as were asked for. */
static equant_status add_planets(hunt_state *hunt, planet_finder_result *result)
{
    size_t most = planets_at_most(hunt);
    bool forced = hunt->options->n_planets > 0;
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && hunt->current.n_planets < most) {
        bool by_scan = hunt->options->method == EQUANT_FIT_SCAN;
        double alarm;
        status = by_scan ? extend_beam(hunt) : evolve(hunt);
        if (status == EQUANT_SUCCESS && by_scan)
            status = reconsider_pool(hunt);
        if (status != EQUANT_SUCCESS || hunt->n_pool == 0)
            return status;
        put_new_planet_last(hunt->star, &hunt->current, &hunt->pool[0]);
        bool accepted = false;
        status = weigh_pool(hunt, &alarm, &accepted);
        if (status != EQUANT_SUCCESS)
            return status;
        accepted = accepted || forced;
        if (!accepted) {
            status = keep_candidate(hunt, alarm, result);
            if (status == EQUANT_SUCCESS)
                status = try_two_more(hunt, most, &accepted);
            if (!accepted)
                return status;
        }
        result->has_candidate = result->has_candidate && !accepted;
        accept_pool(hunt);
    }
    return status;
}

/* What the final model loses without each of its planets. Returns the least significant of
 * those that were found here, n_planets where there is none. */
static equant_status weigh_planets(hunt_state *hunt, planet_finder_result *result, size_t *weakest)
{
    study *star = hunt->star;
    const solution *best = &hunt->current;
    double largest = -1.0;
    *weakest = best->n_planets;
    for (size_t p = 0; p < best->n_planets; p++) {
        equant_status status = leave_out(hunt, best, p, &hunt->trial);
        if (status == EQUANT_SUCCESS)
            status = false_alarm_of(hunt, best, p, &hunt->trial, &result->false_alarm[p]);
        if (status != EQUANT_SUCCESS)
            return status;
        double gain = best->log_likelihood - hunt->trial.log_likelihood;
        result->gain[p] = gain;
        double n_freed = p < hunt->options->n_fixed ? 0.0 : 5.0;
        result->gain_bic[p] = 2.0 * gain - n_freed * log((double)star->n_obs);
        if (p >= hunt->options->n_known && result->false_alarm[p] > largest) {
            largest = result->false_alarm[p];
            *weakest = p;
        }
    }
    return EQUANT_SUCCESS;
}

/* Planets that later ones have made superfluous go again. */
static equant_status finish(hunt_state *hunt, planet_finder_result *result)
{
    study *star = hunt->star;
    size_t n_fixed = hunt->options->n_fixed;
    for (;;) {
        size_t weakest;
        equant_status status =
            maximum_likelihood_solution(star, n_fixed, POLISH_TO_PUBLISH, &hunt->current);
        if (status == EQUANT_SUCCESS)
            status = weigh_planets(hunt, result, &weakest);
        if (status != EQUANT_SUCCESS)
            return status;
        if (hunt->options->n_planets != 0 || weakest == hunt->current.n_planets ||
            result->false_alarm[weakest] <= hunt->options->false_alarm_max)
            break;
        solution_remove_planet(star, &hunt->current, weakest);
    }
    equant_status status = solution_create(star, &result->best);
    if (status == EQUANT_SUCCESS)
        solution_copy(star, &hunt->current, &result->best);
    return status;
}

equant_status planet_finder_run(study *star, const planet_finder_options *options,
                                planet_finder_result *result)
{
    hunt_state hunt;
    memset(result, 0, sizeof *result);
    equant_status status = state_create(&hunt, star, options);
    if (status == EQUANT_SUCCESS)
        status = begin(&hunt, result);
    if (status == EQUANT_SUCCESS)
        status = add_planets(&hunt, result);
    if (status == EQUANT_SUCCESS)
        status = finish(&hunt, result);
    state_free(&hunt);
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
