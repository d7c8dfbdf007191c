#include "inference/plan/plan_search.h"

#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/progress_report.h"
#include "core/status_fail.h"
#include "inference/plan/plan_condition.h"
#include "inference/plan/plan_outcomes.h"
#include "parallel/parallel_for.h"

struct plan_search {
    const plan_problem *problem;
    plan_outcomes outcomes;
    plan_condition condition;
    mixture_grid *grids; /* [n_threads] */
    bool *is_left;       /* [n_times]: may still be chosen */
    double *gains;       /* [n_times] */
};

void plan_search_free(plan_search *search)
{
    if (!search)
        return;
    for (int i = 0; search->grids && i < search->problem->n_threads; i++)
        mixture_grid_free(&search->grids[i]);
    plan_outcomes_free(&search->outcomes);
    plan_condition_free(&search->condition);
    free(search->grids);
    free(search->is_left);
    free(search->gains);
    free(search);
}

equant_status plan_search_create(const plan_problem *problem, size_t n_most, plan_search **made)
{
    size_t n_times = problem->n_times;
    plan_search *search = calloc(1, sizeof *search);
    if (!search)
        return status_out_of_memory();
    search->problem = problem;
    search->grids = calloc((size_t)problem->n_threads, sizeof *search->grids);
    search->is_left = malloc(n_times * sizeof *search->is_left);
    search->gains = calloc(n_times, sizeof *search->gains);
    equant_status status = search->grids && search->is_left && search->gains
                               ? plan_outcomes_create(problem, &search->outcomes)
                               : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = plan_condition_create(problem, n_most - 1, &search->condition);
    if (status != EQUANT_SUCCESS) {
        plan_search_free(search);
        return status;
    }
    for (size_t t = 0; t < n_times; t++)
        search->is_left[t] = true;
    *made = search;
    return EQUANT_SUCCESS;
}

/* ---- gains ------------------------------------------------------------------------------------
 */

static double gain_of(const plan_problem *problem, const mixture_facts *facts)
{
    double gain =
        facts->entropy - (problem->about_groups ? facts->within_groups : facts->within_draws);
    if (!problem->weights)
        gain += problem->about_groups ? -facts->bias_of_groups : facts->bias_of_draws;
    return gain > 0.0 ? gain : 0.0;
}

/* The mean over all outcomes; *facts is of the first. */
static equant_status gain_at(plan_search *state, size_t time, mixture_grid *grid, double *gain,
                             mixture_facts *facts)
{
    *gain = 0.0;
    for (size_t f = 0; f < state->outcomes.n; f++) {
        const mixture of = plan_outcomes_mixture(&state->outcomes, state->problem, f, time);
        mixture_facts own;
        equant_status status = mixture_describe(&of, grid, &own);
        if (status != EQUANT_SUCCESS)
            return status;
        *gain += gain_of(state->problem, &own) / (double)state->outcomes.n;
        if (f == 0)
            *facts = own;
    }
    return EQUANT_SUCCESS;
}

typedef struct gains_of_times {
    plan_search *search;
    size_t first; /* of these times */
    mixture_facts *facts;
    atomic_int failed;
} gains_of_times;

static void find_some(void *context, size_t first, size_t end, int thread)
{
    gains_of_times *of = context;
    plan_search *search = of->search;
    for (size_t t = of->first + first; t < of->first + end; t++) {
        mixture_facts own = {.mean = 0.0};
        if (search->is_left[t])
            parallel_keep_larger(&of->failed, (int)gain_at(search, t, &search->grids[thread],
                                                           &search->gains[t], &own));
        if (of->facts)
            of->facts[t] = own;
    }
}

enum { TIMES_AT_ONCE = 64 };

equant_status plan_search_find_gains(plan_search *search, double done, double until,
                                     mixture_facts *facts)
{
    const plan_problem *problem = search->problem;
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = 0; first < problem->n_times && status == EQUANT_SUCCESS;
         first += TIMES_AT_ONCE) {
        size_t end =
            first + TIMES_AT_ONCE < problem->n_times ? first + TIMES_AT_ONCE : problem->n_times;
        gains_of_times of = {.search = search, .first = first, .facts = facts};
        parallel_for(problem->n_threads, end - first, 1, find_some, &of);
        int failed = atomic_load(&of.failed);
        status = failed ? mixture_fail((equant_status)failed)
                        : progress_report_tell(
                              problem->progress, problem->progress_context, "planning",
                              done + (until - done) * (double)end / (double)problem->n_times);
    }
    return status;
}

double plan_search_gain(const plan_search *search, size_t time)
{
    return search->gains[time];
}

size_t plan_search_n_left(const plan_search *search)
{
    size_t n = 0;
    for (size_t t = 0; t < search->problem->n_times; t++)
        n += search->is_left[t];
    return n;
}

/* ---- choices ----------------------------------------------------------------------------------
 */

bool plan_search_best(const plan_search *search, size_t *best, double *value)
{
    bool is_found = false;
    for (size_t t = 0; t < search->problem->n_times; t++) {
        double own = search->gains[t] * search->problem->worth[t];
        if (search->is_left[t] && (!is_found || own > *value)) {
            is_found = true;
            *value = own;
            *best = t;
        }
    }
    return is_found;
}

void plan_search_block(plan_search *search, int place, double start_days, double end_days)
{
    const double a_moment = 1e-6; /* of a day: one may begin when another ends, however rounded */
    const plan_problem *problem = search->problem;
    for (size_t t = 0; problem->places && t < problem->n_times; t++)
        if (problem->places[t] == place && problem->starts_days[t] < end_days - a_moment &&
            start_days < problem->ends_days[t] - a_moment)
            search->is_left[t] = false;
}

static void leave_out_near(plan_search *search, size_t j)
{
    const plan_problem *problem = search->problem;
    for (size_t t = 0; t < problem->n_times; t++)
        if (t == j || fabs(problem->time_days[t] - problem->time_days[j]) < problem->min_gap_days)
            search->is_left[t] = false;
    if (problem->places)
        plan_search_block(search, problem->places[j], problem->starts_days[j],
                          problem->ends_days[j]);
}

equant_status plan_search_choose(plan_search *search, size_t time, bool is_last,
                                 plan_choice *chosen)
{
    chosen->time = time;
    chosen->gain = search->gains[time];
    leave_out_near(search, time);
    equant_status status = plan_condition_on(&search->condition, time, is_last, &search->outcomes);
    chosen->probability = plan_outcomes_probability(&search->outcomes);
    return status;
}

double plan_search_deviation(const plan_search *search, size_t quantity)
{
    const plan_problem *problem = search->problem;
    return sqrt(plan_outcomes_variance(&search->outcomes, problem,
                                       problem->quantities + quantity * problem->n_draws));
}

equant_status plan_search_run(plan_search *search, size_t n, double *first_gains,
                              mixture_facts *facts, plan_choice *chosen, size_t *n_chosen)
{
    size_t step = 0, best = 0;
    double value = 0.0;
    equant_status status = EQUANT_SUCCESS;
    for (; step < n && status == EQUANT_SUCCESS; step++) {
        status = plan_search_find_gains(search, (double)step / (double)n,
                                        (double)(step + 1) / (double)n, step == 0 ? facts : NULL);
        if (status == EQUANT_SUCCESS && step == 0)
            memcpy(first_gains, search->gains, search->problem->n_times * sizeof *first_gains);
        if (status != EQUANT_SUCCESS || !plan_search_best(search, &best, &value))
            break;
        status = plan_search_choose(search, best, step + 1 == n, &chosen[step]);
    }
    *n_chosen = step;
    return status;
}
