#include "inference/planning/plan_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/planning/plan_condition.h"
#include "inference/planning/plan_outcomes.h"

typedef struct search_state {
    const plan_problem *problem;
    plan_outcomes outcomes;
    plan_condition condition;
    mixture_grid *grids; /* [n_threads] */
    bool *is_left;       /* [n_times]: may still be chosen */
    double *gains;       /* [n_times] */
} search_state;

static void state_free(search_state *state)
{
    for (int i = 0; state->grids && i < state->problem->n_threads; i++)
        mixture_grid_free(&state->grids[i]);
    plan_outcomes_free(&state->outcomes);
    plan_condition_free(&state->condition);
    free(state->grids);
    free(state->is_left);
    free(state->gains);
}

static equant_status state_create(const plan_problem *problem, size_t n, search_state *state)
{
    size_t n_times = problem->n_times;
    *state = (search_state){.problem = problem};
    state->grids = calloc((size_t)problem->n_threads, sizeof *state->grids);
    state->is_left = malloc(n_times * sizeof *state->is_left);
    state->gains = calloc(n_times, sizeof *state->gains);
    if (!state->grids || !state->is_left || !state->gains)
        return status_out_of_memory();
    for (size_t t = 0; t < n_times; t++)
        state->is_left[t] = true;
    equant_status status = plan_outcomes_create(problem, &state->outcomes);
    return status == EQUANT_SUCCESS ? plan_condition_create(problem, n - 1, &state->condition)
                                    : status;
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
static equant_status gain_at(search_state *state, size_t time, mixture_grid *grid, double *gain,
                             mixture_facts *facts)
{
    *gain = 0.0;
    for (size_t f = 0; f < state->outcomes.n; f++) {
        const mixture of = plan_outcomes_mixture(&state->outcomes, state->problem, f, time);
        mixture_facts own;
        if (mixture_describe(&of, grid, &own) != EQUANT_SUCCESS)
            return EQUANT_ERROR_OUT_OF_MEMORY;
        *gain += gain_of(state->problem, &own) / (double)state->outcomes.n;
        if (f == 0)
            *facts = own;
    }
    return EQUANT_SUCCESS;
}

static equant_status report(const plan_problem *problem, size_t step, size_t n, double part)
{
    const equant_progress_report told = {.struct_size = sizeof told,
                                         .stage = "planning",
                                         .done = ((double)step + part) / (double)n,
                                         .steps_per_s = NAN,
                                         .acceptance = NAN,
                                         .rhat = NAN,
                                         .ess_bulk = NAN,
                                         .ess_tail = NAN,
                                         .seconds_left = NAN};
    if (problem->progress && problem->progress(&told, problem->progress_context) != 0)
        return status_fail(EQUANT_ERROR_CANCELLED, "the plan was cancelled");
    return EQUANT_SUCCESS;
}

enum { TIMES_AT_ONCE = 64 };

static equant_status find_gains(search_state *state, size_t step, size_t n, mixture_facts *facts)
{
    const plan_problem *problem = state->problem;
    int n_threads = problem->n_threads;
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = 0; first < problem->n_times && status == EQUANT_SUCCESS;
         first += TIMES_AT_ONCE) {
        size_t end =
            first + TIMES_AT_ONCE < problem->n_times ? first + TIMES_AT_ONCE : problem->n_times;
        int failed = 0;
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(max : failed)
        for (int worker = 0; worker < n_threads; worker++)
            for (size_t t = first + (size_t)worker; t < end; t += (size_t)n_threads) {
                mixture_facts own = {.mean = 0.0};
                if (state->is_left[t] &&
                    gain_at(state, t, &state->grids[worker], &state->gains[t], &own))
                    failed = 1;
                if (facts)
                    facts[t] = own;
            }
        status = failed ? status_out_of_memory()
                        : report(problem, step, n, (double)end / (double)problem->n_times);
    }
    return status;
}

static bool choose(const search_state *state, size_t *best)
{
    bool is_found = false;
    double highest = 0.0;
    for (size_t t = 0; t < state->problem->n_times; t++) {
        double value = state->gains[t] * state->problem->worth[t];
        if (state->is_left[t] && (!is_found || value > highest)) {
            is_found = true;
            highest = value;
            *best = t;
        }
    }
    return is_found;
}

static void leave_out_near(search_state *state, size_t j)
{
    const plan_problem *problem = state->problem;
    for (size_t t = 0; t < problem->n_times; t++)
        if (t == j || fabs(problem->time_days[t] - problem->time_days[j]) < problem->min_gap_days)
            state->is_left[t] = false;
}

equant_status plan_search_run(const plan_problem *problem, size_t n, double *first_gains,
                              mixture_facts *facts, plan_choice *chosen, size_t *n_chosen)
{
    search_state state;
    size_t step = 0, best = 0;
    equant_status status = state_create(problem, n, &state);
    for (; step < n && status == EQUANT_SUCCESS; step++) {
        status = find_gains(&state, step, n, step == 0 ? facts : NULL);
        if (status == EQUANT_SUCCESS && step == 0)
            memcpy(first_gains, state.gains, problem->n_times * sizeof *first_gains);
        if (status != EQUANT_SUCCESS || !choose(&state, &best))
            break;
        chosen[step] = (plan_choice){best, state.gains[best]};
        leave_out_near(&state, best);
        if (step + 1 < n)
            status = plan_condition_on(&state.condition, best, &state.outcomes);
    }
    *n_chosen = step;
    state_free(&state);
    return status;
}
