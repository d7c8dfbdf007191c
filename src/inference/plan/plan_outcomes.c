#include "inference/plan/plan_outcomes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

enum { N_OUTCOMES = 16 };

equant_status plan_outcomes_create(const plan_problem *problem, plan_outcomes *made)
{
    size_t g = problem->n_groups, n_most = g > 1 ? N_OUTCOMES : 1;
    *made = (plan_outcomes){.n = 1, .n_most = n_most, .n_groups = g, .n_times = problem->n_times};
    made->weights = malloc(n_most * g * sizeof *made->weights);
    made->shifts = calloc(n_most * g * problem->n_times, sizeof *made->shifts);
    if (!made->weights || !made->shifts) {
        plan_outcomes_free(made);
        return status_out_of_memory();
    }
    memcpy(made->weights, problem->group_weights, g * sizeof *made->weights);
    return EQUANT_SUCCESS;
}

void plan_outcomes_free(plan_outcomes *outcomes)
{
    free(outcomes->weights);
    free(outcomes->shifts);
    memset(outcomes, 0, sizeof *outcomes);
}

static double *shifts_at(const plan_outcomes *outcomes, size_t outcome, size_t time)
{
    return outcomes->shifts + (outcome * outcomes->n_times + time) * outcomes->n_groups;
}

mixture plan_outcomes_mixture(const plan_outcomes *outcomes, const plan_problem *problem,
                              size_t outcome, size_t time)
{
    return (mixture){.n = problem->n_draws,
                     .means = problem->means + time * problem->n_draws,
                     .variances = problem->variances + time * problem->n_draws,
                     .weights = problem->weights,
                     .n_groups = problem->n_groups,
                     .ends = problem->ends,
                     .group_weights = outcomes->weights + outcome * outcomes->n_groups,
                     .group_shifts = shifts_at(outcomes, outcome, time)};
}

/* All outcomes begin alike. */
static void multiply(plan_outcomes *outcomes)
{
    size_t g = outcomes->n_groups, each = g * outcomes->n_times;
    for (size_t f = 1; f < outcomes->n_most; f++) {
        memcpy(outcomes->weights + f * g, outcomes->weights, g * sizeof *outcomes->weights);
        memcpy(outcomes->shifts + f * each, outcomes->shifts, each * sizeof *outcomes->shifts);
    }
    outcomes->n = outcomes->n_most;
}

/* Shares at which outcomes are taken: each observation has all of them once, in an order of its
 * own, as a Latin square has them. */
static double share_of(size_t outcome, size_t number, size_t n)
{
    static const size_t strides[] = {1, 7, 11, 5, 13, 3, 9, 15};
    size_t stride = strides[number % (sizeof strides / sizeof *strides)];
    return ((double)((outcome * stride + 5 * number) % n) + 0.5) / (double)n;
}

static double weight_of(const plan_problem *problem, size_t draw)
{
    return problem->weights ? problem->weights[draw] : 1.0;
}

/* ln of the density of a value in a group, up to a constant. */
static double log_density(const plan_problem *problem, size_t from, size_t to,
                          const plan_seen *seen, double value)
{
    double sum = 0.0, whole = 0.0, highest = -INFINITY;
    for (size_t i = from; i < to; i++) {
        double away = value - seen->means[i], variance = seen->variances[i];
        highest = fmax(highest, -0.5 * (away * away / variance + log(variance)));
    }
    for (size_t i = from; i < to; i++) {
        double away = value - seen->means[i], variance = seen->variances[i];
        sum +=
            weight_of(problem, i) * exp(-0.5 * (away * away / variance + log(variance)) - highest);
        whole += weight_of(problem, i);
    }
    return highest + log(sum / whole);
}

static double mean_of(const plan_problem *problem, size_t from, size_t to, const plan_seen *seen)
{
    double sum = 0.0, whole = 0.0;
    for (size_t i = from; i < to; i++) {
        sum += weight_of(problem, i) * seen->means[i];
        whole += weight_of(problem, i);
    }
    return sum / whole;
}

/* One outcome: its groups are reweighed and shifted. `room` is for two numbers of each. */
static void take_outcome(plan_outcomes *outcomes, const plan_problem *problem,
                         const plan_seen *seen, size_t f, double value, const double *slopes,
                         double *room)
{
    size_t g = outcomes->n_groups;
    double *weights = outcomes->weights + f * g, highest = -INFINITY, whole = 0.0;
    double *likelihood = room, *away = room + g;
    const double *shifts = shifts_at(outcomes, f, seen->time);
    for (size_t k = 0, from = 0; k < g; from = problem->ends[k], k++) {
        double own = value - shifts[k];
        likelihood[k] = log_density(problem, from, problem->ends[k], seen, own);
        away[k] = own - mean_of(problem, from, problem->ends[k], seen);
        if (weights[k] > 0.0)
            highest = fmax(highest, likelihood[k]);
    }
    for (size_t k = 0; k < g; k++) {
        weights[k] *= weights[k] > 0.0 ? exp(likelihood[k] - highest) : 0.0;
        whole += weights[k];
    }
    for (size_t k = 0; k < g; k++)
        weights[k] /= whole;
    for (size_t t = 0; t < outcomes->n_times; t++)
        for (size_t k = 0; k < g; k++)
            shifts_at(outcomes, f, t)[k] += slopes[t * g + k] * away[k];
}

equant_status plan_outcomes_see(plan_outcomes *outcomes, const plan_problem *problem,
                                const plan_seen *seen, size_t number, const double *slopes)
{
    if (outcomes->n_groups == 1) /* a shift changes no entropy */
        return EQUANT_SUCCESS;
    mixture_grid grid = {.n = 0};
    mixture_facts facts;
    double *room = malloc(2 * outcomes->n_groups * sizeof *room);
    equant_status status = room ? EQUANT_SUCCESS : status_out_of_memory();
    if (outcomes->n < outcomes->n_most)
        multiply(outcomes);
    for (size_t f = 0; f < outcomes->n && status == EQUANT_SUCCESS; f++) {
        mixture of = plan_outcomes_mixture(outcomes, problem, f, seen->time);
        double share = share_of(f, number, outcomes->n), value = 0.0;
        of.means = seen->means;
        of.variances = seen->variances;
        status = mixture_describe(&of, &grid, &facts);
        if (status != EQUANT_SUCCESS) {
            status = mixture_fail(status);
            break;
        }
        mixture_quantiles(&grid, 1, &share, &value);
        take_outcome(outcomes, problem, seen, f, value, slopes, room);
    }
    mixture_grid_free(&grid);
    free(room);
    return status;
}

double plan_outcomes_probability(const plan_outcomes *outcomes)
{
    double sum = 0.0;
    for (size_t f = 0; f < outcomes->n; f++)
        for (size_t k = 0; k < outcomes->n_groups; k++)
            sum += pow(outcomes->weights[f * outcomes->n_groups + k], 2.0) / (double)outcomes->n;
    return sum;
}

double plan_outcomes_variance(const plan_outcomes *outcomes, const plan_problem *problem,
                              const double *quantity)
{
    double expected = 0.0;
    for (size_t f = 0; f < outcomes->n; f++) {
        double mean = 0.0, square = 0.0, origin = quantity[0];
        for (size_t k = 0, from = 0; k < outcomes->n_groups; from = problem->ends[k], k++) {
            double share = outcomes->weights[f * outcomes->n_groups + k], whole = 0.0;
            for (size_t i = from; i < problem->ends[k]; i++)
                whole += weight_of(problem, i);
            for (size_t i = from; i < problem->ends[k] && whole > 0.0; i++) {
                double away = quantity[i] - origin, own = share * weight_of(problem, i) / whole;
                mean += own * away;
                square += own * away * away;
            }
        }
        expected += (square - mean * mean) / (double)outcomes->n;
    }
    return fmax(expected, 0.0);
}
