#include "inference/select/planets/candidate_pool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inference/select/planets/differential_evolution.h"
#include "inference/search/next_planet.h"
#include "inference/select/planets/second_look.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "inference/likelihood/study_crew.h"
#include "inference/optimise/trend.h"
#include "inference/optimise/uncertainty.h"

/* Solutions are carried on side by side where they are nearly as good as the best. */
#define BEAM_MARGIN 5.0
#define SECOND_THOUGHT_MARGIN 15.0
/* Peaks refined after a scan for a new planet, after one where there is less to expect, and after a
 * map for two. */
enum { N_PEAKS = 40, N_PEAKS_FEWER = 8, N_JOINT = 24 };
/* Candidates whose noise is chosen anew. */
enum { N_NOISE_CHOSEN = 2 };
/* An orbit more eccentric than this may be two in disguise. */
#define DISGUISE_ECCENTRICITY 0.2
/* Only the first planet is looked for among the most eccentric orbits, which are most of the
 * grid; the fit may still make any planet as eccentric as the data say. */
#define SECOND_ECCENTRICITY 0.7
#define LATER_ECCENTRICITY 0.5

void candidate_pool_free(candidate_pool *pool)
{
    solution_free(&pool->current);
    solution_free(&pool->trial);
    solution_free(&pool->check);
    for (size_t i = 0; i < CANDIDATE_POOL_BEAM; i++)
        solution_free(&pool->beam[i]);
    for (size_t i = 0; i < CANDIDATE_POOL_SIZE; i++)
        solution_free(&pool->found[i]);
}

static scan_grid grid_to(const study *star, double eccentricity_max)
{
    return scan_grid_make(star->span_days, star->period_min_days, star->period_max_days,
                          eccentricity_max);
}

equant_status candidate_pool_create(candidate_pool *pool, study *star,
                                    const planet_finder_options *options)
{
    memset(pool, 0, sizeof *pool);
    pool->star = star;
    pool->options = options;
    double most = options->eccentricity_max;
    pool->first_grid = grid_to(star, most);
    pool->second_grid = grid_to(star, fmin(most, SECOND_ECCENTRICITY));
    pool->later_grid = grid_to(star, fmin(most, LATER_ECCENTRICITY));
    pool->circular_grid = grid_to(star, 0.0);
    equant_status status = solution_create(star, &pool->current);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &pool->trial);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &pool->check);
    for (size_t i = 0; i < CANDIDATE_POOL_BEAM && status == EQUANT_SUCCESS; i++)
        status = solution_create(star, &pool->beam[i]);
    for (size_t i = 0; i < CANDIDATE_POOL_SIZE && status == EQUANT_SUCCESS; i++)
        status = solution_create(star, &pool->found[i]);
    return status;
}

static equant_status choose_trend(study *star, const planet_finder_options *options,
                                  solution *fitted)
{
    if (options->trend != EQUANT_TREND_DEFAULT)
        return EQUANT_SUCCESS;
    /* Planets to keep are not there yet in the model without planets. */
    size_t n_fixed = fitted->n_planets < options->n_fixed ? 0 : options->n_fixed;
    return trend_choose(star, n_fixed, fitted);
}

equant_status candidate_pool_choose_trend(candidate_pool *pool, solution *fitted)
{
    return choose_trend(pool->star, pool->options, fitted);
}

static equant_status look_again(study *star, const candidate_pool *pool, size_t n_planets,
                                solution *fitted)
{
    const planet_finder_options *options = pool->options;
    return second_look_take(star, &pool->circular_grid, options->n_known, options->n_fixed,
                            n_planets, fitted);
}

/* Each planet but the last and those known, now that the last is there: what was taken for it
 * before may have been an alias, or a mixture of the two. */
static equant_status reconsider_planets(study *star, const candidate_pool *pool, solution *fitted)
{
    size_t n_known = pool->options->n_known;
    return look_again(
        star, pool, fitted->n_planets > n_known + 1 ? fitted->n_planets - n_known - 1 : 0, fitted);
}

equant_status candidate_pool_reconsider(candidate_pool *pool, solution *fitted)
{
    return look_again(pool->star, pool, fitted->n_planets - pool->options->n_known, fitted);
}

/* Sorts the pool, measured solutions first, then by score, and drops those that repeat a
 * better one. */
static void sort_found(candidate_pool *pool)
{
    const study *star = pool->star;
    solution *found = pool->found;
    for (size_t i = 1; i < pool->n; i++)
        for (size_t j = i; j > 0; j--) {
            bool better =
                found[j].measured != found[j - 1].measured
                    ? found[j].measured
                    : solution_score(star, &found[j]) > solution_score(star, &found[j - 1]);
            if (!better)
                break;
            solution kept = found[j];
            found[j] = found[j - 1];
            found[j - 1] = kept;
        }
    size_t n = 0;
    for (size_t i = 0; i < pool->n; i++) {
        bool repeated = false;
        for (size_t j = 0; j < n && !repeated; j++)
            repeated = next_planet_same(star, &found[i], &found[j]);
        if (repeated)
            continue;
        solution kept = found[n]; /* swapped, not copied over: each owns its memory */
        found[n++] = found[i];
        found[i] = kept;
    }
    pool->n = n;
}

/* Planets of the current solution that may be two, what is left without each of them, and the best
 * with two in its place. */
typedef struct splitting {
    const candidate_pool *pool;
    size_t n, planets[STUDY_MAX_PLANETS];
    solution without[STUDY_MAX_PLANETS], found[STUDY_MAX_PLANETS];
    size_t n_found[STUDY_MAX_PLANETS];
} splitting;

static void list_disguised(const candidate_pool *pool, splitting *split)
{
    const solution *current = &pool->current;
    for (size_t p = pool->options->n_known; p < current->n_planets; p++)
        if (current->n_planets == 1 ||
            current->set[N_ELEMENTS * p + ELEMENT_ECCENTRICITY] >= DISGUISE_ECCENTRICITY)
            split->planets[split->n++] = p;
}

static equant_status do_without(study *star, void *context, size_t i)
{
    splitting *split = context;
    const candidate_pool *pool = split->pool;
    solution *without = &split->without[i];
    equant_status status = solution_create(star, without);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &split->found[i]);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, &pool->current, without);
    solution_remove_planet(star, without, split->planets[i]);
    if (pool->options->trend == EQUANT_TREND_DEFAULT)
        solution_set_trend(star, without, 0); /* it may have been a planet, too */
    return maximum_likelihood_solution(star, pool->options->n_fixed, POLISH_TO_RANK, without);
}

/* Puts two planets in the place of one, where one of the accepted might be two. */
static equant_status split_planets(study *star, splitting *split)
{
    const candidate_pool *pool = split->pool;
    equant_status status = study_crew_share(star, split->n, do_without, split);
    for (size_t i = 0; i < split->n && status == EQUANT_SUCCESS; i++)
        status = next_planet_joint(star, &split->without[i], pool->options->n_fixed, N_JOINT, 1,
                                   &split->found[i], &split->n_found[i]);
    return status;
}

/* Those of them that there is room for, into the pool. */
static void add_split(candidate_pool *pool, splitting *split)
{
    size_t room = CANDIDATE_POOL_SIZE - pool->n;
    for (size_t i = 0; i < split->n && i < room; i++)
        if (split->n_found[i] > 0)
            solution_copy(pool->star, &split->found[i], &pool->found[pool->n++]);
}

static void splitting_free(splitting *split)
{
    for (size_t i = 0; i < split->n; i++) {
        solution_free(&split->without[i]);
        solution_free(&split->found[i]);
    }
}

/* What grows from the solutions of the beam: of each those behind it, and one that has no trend. */
enum { BRANCH_MOST = CANDIDATE_POOL_BEAM + 1 };
typedef struct branches {
    candidate_pool *pool; /* of which branch i has the places from i BRANCH_MOST on */
    size_t n[CANDIDATE_POOL_BEAM];
} branches;
_Static_assert(CANDIDATE_POOL_BEAM *BRANCH_MOST <= CANDIDATE_POOL_SIZE, "room for all branches");

/* Adds to a branch the best solutions of one planet more behind a background. */
static equant_status extend(branches *all, study *star, size_t branch, const solution *background,
                            const scan_grid *grid, size_t n_peaks, size_t n_wanted)
{
    char stage[64];
    planet_scan scan;
    size_t n_found = 0, n_fixed = all->pool->options->n_fixed;
    solution *found = all->pool->found + branch * BRANCH_MOST + all->n[branch];
    snprintf(stage, sizeof stage, "searching for planet %zu", background->n_planets + 1);
    equant_status status = planet_scan_find_peaks(star, background, n_fixed, grid, stage, n_peaks,
                                                  NEXT_PLANET_ALIASED, &scan);
    if (status != EQUANT_SUCCESS)
        return status;
    status = study_report(star, "refining candidates", 0.0);
    if (status == EQUANT_SUCCESS)
        status = next_planet_refine(star, &scan, background, n_fixed, n_peaks, true, n_wanted,
                                    found, &n_found);
    planet_scan_free(&scan);
    all->n[branch] += n_found;
    return status;
}

/* What was taken for a trend may have been a long period. */
static equant_status extend_without_trend(branches *all, study *star, size_t branch)
{
    const candidate_pool *pool = all->pool;
    solution level = {.set = NULL};
    equant_status status = solution_create(star, &level);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, &pool->beam[branch], &level);
    solution_set_trend(star, &level, 0);
    status = maximum_likelihood_solution(star, pool->options->n_fixed, POLISH_TO_RANK, &level);
    if (status == EQUANT_SUCCESS)
        status = extend(all, star, branch, &level, &pool->circular_grid, N_PEAKS_FEWER, 1);
    solution_free(&level);
    return status;
}

static equant_status extend_one(study *star, void *context, size_t branch)
{
    branches *all = context;
    const candidate_pool *pool = all->pool;
    const solution *background = &pool->beam[branch];
    /* Whitening makes a node several times as dear: eccentric ones are left to the fit. */
    const scan_grid *grid = background->noise.terms != 0 ? &pool->circular_grid
                            : background->n_planets == 0 ? &pool->first_grid
                            : background->n_planets == 1 ? &pool->second_grid
                                                         : &pool->later_grid;
    equant_status status =
        extend(all, star, branch, background, grid, N_PEAKS, CANDIDATE_POOL_BEAM);
    bool may_have_none =
        background->trend_order > 0 && pool->options->trend == EQUANT_TREND_DEFAULT;
    return status == EQUANT_SUCCESS && may_have_none ? extend_without_trend(all, star, branch)
                                                     : status;
}

/* Adds one planet to all of the beam. While a GPU scans behind one, threads refine what it has
 * found behind another; scans on processors have all threads, one after the other. */
static equant_status extend_all(candidate_pool *pool, study *star)
{
    branches all = {.pool = pool};
    equant_status status = EQUANT_SUCCESS;
    if (planet_scan_is_done_by_processor(star))
        for (size_t i = 0; i < pool->n_beam && status == EQUANT_SUCCESS; i++)
            status = extend_one(star, &all, i);
    else
        status = study_crew_share(star, pool->n_beam, extend_one, &all);
    for (size_t i = 0; i < pool->n_beam; i++)
        for (size_t k = 0; k < all.n[i]; k++) {
            solution *to = &pool->found[pool->n++], *from = &pool->found[i * BRANCH_MOST + k];
            solution kept = *to; /* swapped, not copied over: each owns its memory */
            *to = *from;
            *from = kept;
        }
    return status;
}

/* The two ways to fill a pool, which know nothing of each other. */
typedef struct filling {
    candidate_pool *pool;
    splitting *split;
} filling;

/* Maps of pairs come first, and are then the calling thread's, which has the threads that they are
 * shared among: the other piece waits for a GPU. */
static equant_status fill_one_way(study *star, void *context, size_t way)
{
    const filling *both = context;
    if (way == 1)
        return extend_all(both->pool, star);
    star->scan_engine.n_threads = both->pool->star->scan_engine.n_threads;
    return split_planets(star, both->split);
}

/* Fills the pool from all of the beam. While a GPU scans, threads may map pairs. */
static equant_status extend_beam(candidate_pool *pool)
{
    study *star = pool->star;
    splitting split = {.pool = pool};
    filling both = {pool, &split};
    pool->n = 0;
    list_disguised(pool, &split);
    bool together = split.n > 0 && !star->whole && study_crew_size(star) > 1 &&
                    !planet_scan_is_done_by_processor(star);
    equant_status status =
        together ? study_crew_share(star, 2, fill_one_way, &both) : extend_all(pool, star);
    if (status == EQUANT_SUCCESS && !together)
        status = split_planets(star, &split);
    if (status == EQUANT_SUCCESS) {
        add_split(pool, &split);
        sort_found(pool);
    }
    splitting_free(&split);
    return status;
}

/* The other way to fill the pool: all planets at once, without a periodogram. */
static equant_status evolve(candidate_pool *pool)
{
    study *star = pool->star;
    const planet_finder_options *wanted = pool->options;
    solution *trial = &pool->trial;
    solution_copy(star, &pool->current, trial);
    while (trial->n_planets <= pool->current.n_planets)
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
                                              .progress = study_hear,
                                              .progress_context = star};
    double log_likelihood;
    equant_status status = differential_evolution_run(
        star->dataset, &star->fit_engine, &options, trial->set,
        trial->set + layout.columns[TERM_JITTERS].first, &log_likelihood);
    pool->n = 0;
    if (status == EQUANT_SUCCESS)
        status = next_planet_choose(star, trial, 0, 1, trial->set, 1, pool->found, &pool->n);
    if (status == EQUANT_SUCCESS && pool->n > 0)
        status = candidate_pool_choose_trend(pool, &pool->found[0]);
    return status;
}

/* Second thoughts about solution i, where it may still turn out the best. */
typedef struct second_thoughts {
    candidate_pool *pool;
    double best; /* score */
} second_thoughts;

static equant_status reconsider_one(study *star, void *context, size_t i)
{
    const second_thoughts *thoughts = context;
    const planet_finder_options *options = thoughts->pool->options;
    solution *fitted = &thoughts->pool->found[i];
    if (solution_score(star, fitted) < thoughts->best - SECOND_THOUGHT_MARGIN)
        return EQUANT_SUCCESS;
    equant_status status = reconsider_planets(star, thoughts->pool, fitted);
    if (status == EQUANT_SUCCESS)
        status = choose_trend(star, options, fitted);
    if (status == EQUANT_SUCCESS && i < N_NOISE_CHOSEN)
        status = noise_choice_improve(star, options->n_fixed, fitted);
    if (status == EQUANT_SUCCESS)
        status = uncertainty_measured(star, fitted, options->n_fixed, &fitted->measured);
    return status;
}

static equant_status reconsider_all(candidate_pool *pool)
{
    second_thoughts thoughts = {pool, -INFINITY};
    for (size_t i = 0; i < pool->n; i++)
        thoughts.best = fmax(thoughts.best, solution_score(pool->star, &pool->found[i]));
    equant_status status = study_report(pool->star, "checking planets", 0.0);
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(pool->star, pool->n, reconsider_one, &thoughts);
    if (status == EQUANT_SUCCESS)
        sort_found(pool);
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

equant_status candidate_pool_fill(candidate_pool *pool)
{
    bool by_scan = pool->options->method == EQUANT_FIT_SCAN;
    equant_status status = by_scan ? extend_beam(pool) : evolve(pool);
    if (status == EQUANT_SUCCESS && by_scan)
        status = reconsider_all(pool);
    if (status == EQUANT_SUCCESS && pool->n > 0)
        put_new_planet_last(pool->star, &pool->current, &pool->found[0]);
    return status;
}

void candidate_pool_pass_over(candidate_pool *pool)
{
    pool->found[0].measured = false;
    sort_found(pool);
    put_new_planet_last(pool->star, &pool->current, &pool->found[0]);
}

solution *candidate_pool_passed_over(candidate_pool *pool)
{
    const study *star = pool->star;
    size_t best = 0;
    for (size_t i = 1; i < pool->n; i++)
        if (!pool->found[i].measured &&
            solution_score(star, &pool->found[i]) > solution_score(star, &pool->found[best]))
            best = i;
    if (best == 0)
        return NULL;
    put_new_planet_last(star, &pool->current, &pool->found[best]);
    return &pool->found[best];
}

void candidate_pool_promote(candidate_pool *pool, solution *one)
{
    solution kept = pool->found[0];
    pool->found[0] = *one;
    *one = kept;
}

equant_status candidate_pool_fill_with_two(candidate_pool *pool, bool *has_found)
{
    study *star = pool->star;
    size_t n_fixed = pool->options->n_fixed, n_found = 0;
    solution *both = &pool->found[0];
    equant_status status =
        next_planet_joint(star, &pool->current, n_fixed, N_JOINT, 1, both, &n_found);
    *has_found = status == EQUANT_SUCCESS && n_found > 0;
    if (!*has_found)
        return status;
    pool->n = 1;
    status = candidate_pool_choose_trend(pool, both);
    if (status == EQUANT_SUCCESS)
        status = uncertainty_measured(star, both, n_fixed, &both->measured);
    return status;
}

void candidate_pool_begin(candidate_pool *pool)
{
    solution_copy(pool->star, &pool->current, &pool->beam[0]);
    pool->n_beam = 1;
}

void candidate_pool_accept(candidate_pool *pool)
{
    const study *star = pool->star;
    solution_copy(star, &pool->found[0], &pool->current);
    pool->n_beam = 0;
    for (size_t i = 0; i < pool->n && pool->n_beam < CANDIDATE_POOL_BEAM; i++)
        if (solution_score(star, &pool->found[i]) >
            solution_score(star, &pool->found[0]) - BEAM_MARGIN)
            solution_copy(star, &pool->found[i], &pool->beam[pool->n_beam++]);
}
