#include "inference/search/next_planet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/search/aliases.h"
#include "inference/search/joint_map.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/likelihood/study_crew.h"
#include "inference/optimise/uncertainty.h"
#include "model/period_resolution.h"

/* Iterations that bring a start near enough to be ranked; starts that are then optimised, at
 * least. */
enum { RANKING_ITERATIONS = 40, N_REFINED = 12 };
/* Of chi-square: starts that gain less in a step are ranked as they are. */
#define RANKING_GAIN 1e-2
/* In ln L: what is so far behind the best when it is ranked stays behind when it is optimised. */
#define REFINED_REACH 20.0

/* Starts in the order of their rank: the lower the better. */
typedef struct ranked {
    double rank;
    size_t start;
} ranked;

static int compare_ranks(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Whether every planet of `a` has one in `b` with its period. */
static bool all_in(const study *star, size_t n_planets, const double *a, const double *b)
{
    for (size_t p = 0; p < n_planets; p++) {
        bool matched = false;
        for (size_t q = 0; q < n_planets && !matched; q++)
            matched =
                period_resolution_is_same(a[N_ELEMENTS * p], b[N_ELEMENTS * q], star->span_days);
        if (!matched)
            return false;
    }
    return true;
}

/* Both ways: two planets of one period match one planet, and not the other way round. */
static bool same_orbits(const study *star, size_t n_planets, const double *a, const double *b)
{
    return all_in(star, n_planets, a, b) && all_in(star, n_planets, b, a);
}

bool next_planet_same(const study *star, const solution *a, const solution *b)
{
    return a->n_planets == b->n_planets && same_orbits(star, a->n_planets, a->set, b->set);
}

static bool has_twins(const study *star, size_t n_planets, const double *set)
{
    for (size_t p = 0; p < n_planets; p++)
        for (size_t q = 0; q < p; q++)
            if (period_resolution_apart(set[N_ELEMENTS * p], set[N_ELEMENTS * q], star->span_days) <
                PERIOD_DEGENERATE)
                return true;
    return false;
}

/* Keeps, of ranked starts, the first of each kind; returns how many. */
static size_t drop_repeated(const study *star, size_t n_planets, size_t n_columns,
                            const double *sets, size_t n_starts, ranked *order, size_t n_wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < n_starts && n < n_wanted; i++) {
        const double *set = sets + order[i].start * n_columns;
        bool unwanted = !isfinite(order[i].rank) || has_twins(star, n_planets, set);
        for (size_t j = 0; j < n && !unwanted; j++)
            unwanted = same_orbits(star, n_planets, set, sets + order[j].start * n_columns);
        if (!unwanted)
            order[n++] = order[i];
    }
    return n;
}

/* Of ranked starts, more than are wanted, those that may still come out among the wanted; returns
 * how many. */
static size_t drop_hopeless(size_t n, const ranked *order, size_t n_wanted)
{
    size_t last = n_wanted > 0 ? n_wanted - 1 : 0; /* of the wanted */
    while (n > last + 1 && order[n - 1].rank > order[last].rank + REFINED_REACH)
        n--;
    return n;
}

/* Solutions of which it is asked whether the data have measured their planets. */
typedef struct measured_solutions {
    size_t n_fixed;
    solution *found;
} measured_solutions;

static equant_status measure_one(study *star, void *context, size_t i)
{
    const measured_solutions *all = context;
    solution *one = &all->found[i];
    return uncertainty_measured(star, one, all->n_fixed, &one->measured);
}

/* The best few starts optimised, as solutions. */
static equant_status refine_best(study *star, const least_squares_problem *problem, size_t n_best,
                                 ranked *order, const double *sets, size_t n_wanted,
                                 solution *found, size_t *n_found)
{
    size_t n_columns = study_layout(star, problem->n_planets, problem->trend_order).n_parameters;
    double *best = malloc((n_best * n_columns + 1) * sizeof *best);
    double *likelihood = malloc((n_best + 1) * sizeof *likelihood);
    equant_status status = best && likelihood ? EQUANT_SUCCESS : status_out_of_memory();
    *n_found = 0;
    if (status == EQUANT_SUCCESS) {
        for (size_t i = 0; i < n_best; i++)
            memcpy(best + i * n_columns, sets + order[i].start * n_columns,
                   n_columns * sizeof *best);
        status = maximum_likelihood_sets(star, problem, n_best, POLISH_TO_RANK, best, likelihood);
    }
    if (status == EQUANT_SUCCESS) {
        for (size_t i = 0; i < n_best; i++)
            order[i] = (ranked){
                -likelihood[i] - solution_log_prior(problem->n_planets, best + i * n_columns), i};
        qsort(order, n_best, sizeof *order, compare_ranks);
        *n_found =
            drop_repeated(star, problem->n_planets, n_columns, best, n_best, order, n_wanted);
    }
    for (size_t i = 0; i < *n_found; i++) {
        found[i].n_planets = problem->n_planets;
        found[i].trend_order = problem->trend_order;
        found[i].noise = problem->noise;
        found[i].log_likelihood = likelihood[order[i].start];
        found[i].chi_square = NAN;
        found[i].noise_price = NAN;
        memcpy(found[i].set, best + order[i].start * n_columns, n_columns * sizeof *best);
    }
    if (status == EQUANT_SUCCESS)
        status = study_crew_share(star, *n_found, measure_one,
                                  &(measured_solutions){problem->n_fixed, found});
    free(best);
    free(likelihood);
    return status;
}

/* As next_planet_choose; the last n_circular planets stay on circles. */
static equant_status choose(study *star, const solution *shape, size_t n_fixed, size_t n_circular,
                            size_t n_starts, double *sets, size_t n_wanted, solution *found,
                            size_t *n_found)
{
    least_squares_problem problem = {.n_planets = shape->n_planets,
                                     .trend_order = shape->trend_order,
                                     .noise = shape->noise,
                                     .n_fixed = n_fixed,
                                     .n_circular = n_circular,
                                     .max_iterations = RANKING_ITERATIONS,
                                     .gain_enough = RANKING_GAIN,
                                     .foreseen_enough = RANKING_GAIN};
    size_t n_columns = study_layout(star, problem.n_planets, problem.trend_order).n_parameters;
    double *chi_square = malloc((n_starts + 1) * sizeof *chi_square);
    ranked *order = malloc((n_starts + 1) * sizeof *order);
    equant_status status = chi_square && order ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = least_squares_refine(star, &problem, n_starts, sets, chi_square);
    if (status == EQUANT_SUCCESS) {
        /* With the noise level free, -N/2 ln chi2 is ln L. */
        for (size_t s = 0; s < n_starts; s++)
            order[s] = (ranked){0.5 * (double)star->n_obs * log(chi_square[s]) -
                                    solution_log_prior(problem.n_planets, sets + s * n_columns),
                                s};
        qsort(order, n_starts, sizeof *order, compare_ranks);
        size_t n_best = drop_repeated(star, problem.n_planets, n_columns, sets, n_starts, order,
                                      n_wanted > N_REFINED ? n_wanted : N_REFINED);
        n_best = drop_hopeless(n_best, order, n_wanted);
        status = refine_best(star, &problem, n_best, order, sets, n_wanted, found, n_found);
    }
    free(chi_square);
    free(order);
    return status;
}

equant_status next_planet_choose(study *star, const solution *shape, size_t n_fixed,
                                 size_t n_starts, double *sets, size_t n_wanted, solution *found,
                                 size_t *n_found)
{
    return choose(star, shape, n_fixed, 0, n_starts, sets, n_wanted, found, n_found);
}

/* A growing list of starting sets, each with more planets than the background. */
typedef struct start_list {
    const study *star;
    const solution *background;
    bool without_drifts;
    size_t n, n_columns; /* starts, and columns of each */
    double *sets;
} start_list;

/* A start with n_new orbits behind those of the background. */
static void add_orbits(start_list *list, size_t n_new, const backend_scan_node *nodes)
{
    size_t n_old = N_ELEMENTS * list->background->n_planets, n_all = n_old + N_ELEMENTS * n_new;
    double *set = list->sets + list->n++ * list->n_columns;
    memcpy(set, list->background->set, n_old * sizeof *set);
    for (size_t i = 0; i < n_new; i++) {
        double *orbit = set + n_old + N_ELEMENTS * i;
        planet_scan_orbit(&nodes[i], orbit);
        /* Bins reach beyond the range by half their width. */
        orbit[ELEMENT_PERIOD] = fmax(list->star->period_min_days,
                                     fmin(list->star->period_max_days, orbit[ELEMENT_PERIOD]));
    }
    memcpy(set + n_all, list->background->set + n_old, (list->n_columns - n_all) * sizeof *set);
}

/* Peaks are aliases of each other: what is on the list already would come to the same end. */
static void drop_last_if_repeated(start_list *list)
{
    size_t place = N_ELEMENTS * list->background->n_planets, last = list->n - 1;
    const double *orbit = list->sets + last * list->n_columns + place;
    for (size_t s = 0; s < last; s++)
        if (memcmp(list->sets + s * list->n_columns + place, orbit, N_ELEMENTS * sizeof *orbit) ==
            0) {
            list->n--;
            return;
        }
}

static void add_node(start_list *list, const backend_scan_node *node)
{
    double frequency = node->frequency_per_day;
    if (node->improvement > 0.0 &&
        !(list->without_drifts && aliases_is_drift(frequency, list->star->span_days))) {
        add_orbits(list, 1, node);
        drop_last_if_repeated(list);
    }
}

/* The best orbit and the best circle of a bin. */
static void add_bin(start_list *list, const planet_scan *scan, size_t bin)
{
    add_node(list, &scan->best[bin]);
    if (scan->best[bin].eccentricity > 0.0)
        add_node(list, &scan->circular[bin]);
}

equant_status next_planet_refine(study *star, const planet_scan *scan, const solution *background,
                                 size_t n_fixed, size_t n_peaks, bool without_drifts,
                                 size_t n_wanted, solution *found, size_t *n_found)
{
    solution shape = *background;
    shape.n_planets++;
    start_list list = {.star = star, .background = background, .without_drifts = without_drifts};
    list.n_columns = study_layout(star, shape.n_planets, shape.trend_order).n_parameters;
    size_t most = 2 * (n_peaks + NEXT_PLANET_ALIASED * ALIASES_MAX);
    size_t *bins = malloc((n_peaks + 1) * sizeof *bins);
    list.sets = malloc((most + 1) * list.n_columns * sizeof *list.sets);
    equant_status status = EQUANT_SUCCESS;
    *n_found = 0;
    if (!bins || !list.sets)
        status = status_out_of_memory();
    size_t n_bins = status == EQUANT_SUCCESS ? planet_scan_peaks(scan, n_peaks, bins) : 0;
    for (size_t i = 0; i < n_bins; i++) {
        add_bin(&list, scan, bins[i]);
        double aliases[ALIASES_MAX];
        size_t n_aliases = i < NEXT_PLANET_ALIASED
                               ? aliases_of(scan->best[bins[i]].frequency_per_day, aliases)
                               : 0;
        for (size_t a = 0; a < n_aliases; a++)
            if (1.0 / aliases[a] > star->period_min_days &&
                1.0 / aliases[a] < star->period_max_days)
                add_bin(&list, scan, planet_scan_bin(&scan->grid, aliases[a]));
    }
    if (status == EQUANT_SUCCESS && list.n > 0)
        status = choose(star, &shape, n_fixed, scan->circles_only ? 1 : 0, list.n, list.sets,
                        n_wanted, found, n_found);
    free(bins);
    free(list.sets);
    return status;
}

/* The joint map costs the square of its frequencies: periods below two days, and resolution
 * beyond what is needed to start from, are left to the other routes. */
#define JOINT_PERIOD_MIN_DAYS 2.0
#define JOINT_STEPS_PER_SPAN 3.0
enum { JOINT_FREQUENCIES_MAX = 12000 };

static joint_map_options joint_grid(study *star)
{
    double lowest = 1.0 / star->period_max_days,
           step = 1.0 / (JOINT_STEPS_PER_SPAN * star->span_days);
    double highest = 1.0 / fmax(JOINT_PERIOD_MIN_DAYS, star->period_min_days);
    double n = fmax(2.0, ceil((highest - lowest) / step));
    return (joint_map_options){.first_frequency_per_day = lowest,
                               .step_per_day = step,
                               .n_frequencies = (size_t)fmin(n, JOINT_FREQUENCIES_MAX),
                               .engine = &star->scan_engine,
                               .progress = study_hear,
                               .progress_context = star};
}

static equant_status map_jointly(study *star, const solution *background, size_t n_fixed,
                                 size_t n_entries, joint_map_entry *entries, size_t *n_found)
{
    base_columns base;
    joint_map_options options = joint_grid(star);
    const base_terms diagonal = {.as_if_white = true};
    equant_status status = base_columns_create(star, background, n_fixed, &diagonal, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    backend_scan data = {.n_obs = base.n_obs,
                         .time_days = base.time_days,
                         .root_weight = base.root_weight,
                         .residual = base.residual,
                         .n_base = base.n,
                         .base = base.basis};
    status = joint_map_run(&data, &options, n_entries, entries, n_found);
    base_columns_free(&base);
    return status;
}

equant_status next_planet_joint(study *star, const solution *background, size_t n_fixed,
                                size_t n_entries, size_t n_wanted, solution *found, size_t *n_found)
{
    solution shape = *background;
    shape.n_planets += 2;
    start_list list = {.star = star, .background = background};
    list.n_columns = study_layout(star, shape.n_planets, shape.trend_order).n_parameters;
    joint_map_entry *entries = malloc((n_entries + 1) * sizeof *entries);
    list.sets = malloc((n_entries + 1) * list.n_columns * sizeof *list.sets);
    size_t n = 0;
    *n_found = 0;
    equant_status status = entries && list.sets ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = map_jointly(star, background, n_fixed, n_entries, entries, &n);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        backend_scan_node nodes[2] = {{.frequency_per_day = entries[i].frequency_per_day[0]},
                                      {.frequency_per_day = entries[i].frequency_per_day[1]}};
        add_orbits(&list, 2, nodes);
    }
    if (status == EQUANT_SUCCESS && n > 0)
        status = next_planet_choose(star, &shape, n_fixed, n, list.sets, n_wanted, found, n_found);
    free(entries);
    free(list.sets);
    return status;
}
