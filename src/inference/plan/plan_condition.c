#include "inference/plan/plan_condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "parallel/parallel_for.h"

/* A group's view of the time in hand. */
typedef struct chosen_group {
    size_t from, to;
    double whole, mean, between, noise; /* weights; of m(j): mean and variance; mean of V(j) */
    double shrink;                      /* alpha                                             */
    double follows;                     /* kappa(j)                                          */
} chosen_group;

/* What rounding may leave of a variance. */
#define LEAST_LEFT 1e-6

equant_status plan_condition_create(const plan_problem *problem, size_t n_most,
                                    plan_condition *made)
{
    size_t n = problem->n_draws;
    *made = (plan_condition){.problem = problem, .n_most = n_most};
    made->shared = calloc(n_most + 1, sizeof *made->shared);
    made->slopes = calloc(problem->n_times * problem->n_groups, sizeof *made->slopes);
    made->means = malloc(n * sizeof *made->means);
    made->variances = malloc(n * sizeof *made->variances);
    made->away = malloc(n * sizeof *made->away);
    made->groups = malloc(problem->n_groups * sizeof *made->groups);
    bool is_coloured = problem->covariances && n_most > 0;
    if (is_coloured)
        made->covariances = malloc(problem->n_times * n * sizeof *made->covariances);
    if (made->shared && made->slopes && made->means && made->variances && made->away &&
        made->groups && (!is_coloured || made->covariances))
        return EQUANT_SUCCESS;
    return status_out_of_memory();
}

void plan_condition_free(plan_condition *of)
{
    for (size_t i = 0; of->shared && i < of->n_most; i++)
        free(of->shared[i]);
    free(of->shared);
    free(of->covariances);
    free(of->slopes);
    free(of->means);
    free(of->variances);
    free(of->away);
    free(of->groups);
    memset(of, 0, sizeof *of);
}

static double weight_of(const plan_problem *problem, size_t draw)
{
    return problem->weights ? problem->weights[draw] : 1.0;
}

static chosen_group look_at_group(const plan_condition *of, size_t group)
{
    const plan_problem *problem = of->problem;
    chosen_group made = {.from = group > 0 ? problem->ends[group - 1] : 0,
                         .to = problem->ends[group]};
    for (size_t i = made.from; i < made.to; i++)
        made.whole += weight_of(problem, i);
    for (size_t i = made.from; i < made.to; i++) {
        made.mean += weight_of(problem, i) * of->means[i] / made.whole;
        made.noise += weight_of(problem, i) * of->variances[i] / made.whole;
    }
    for (size_t i = made.from; i < made.to; i++) {
        of->away[i] = of->means[i] - made.mean;
        made.between += weight_of(problem, i) * of->away[i] * of->away[i] / made.whole;
    }
    double all = made.between + made.noise;
    made.shrink = 1.0 / (1.0 + sqrt(made.noise / all));
    made.follows = made.between / all;
    return made;
}

/* Covariances of the noise of one time with that in hand, given the times taken in before. */
static void condition_noise(plan_condition *of, size_t t, size_t j, double *row)
{
    size_t n = of->problem->n_draws;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < of->n; k++)
            row[i] -= (double)of->shared[k][t * n + i] * (double)of->shared[k][j * n + i];
        of->shared[of->n][t * n + i] = (float)(row[i] / sqrt(of->variances[i]));
    }
}

/* One group at one time; row: covariances of the noise, or NULL. Returns the slope by which it
 * follows what is seen. */
static double condition_group(const plan_condition *of, const chosen_group *own, double *means,
                              double *variances, const double *row)
{
    const plan_problem *problem = of->problem;
    double shared = 0.0, mean_rho = 0.0;
    for (size_t i = own->from; i < own->to; i++) {
        shared += weight_of(problem, i) * means[i] * of->away[i] / own->whole;
        if (row)
            mean_rho += weight_of(problem, i) * row[i] / of->variances[i] / own->whole;
    }
    double kappa = shared / (own->between + own->noise);
    for (size_t i = own->from; i < own->to; i++) {
        double rho = row ? row[i] / of->variances[i] : 0.0;
        means[i] -= (own->shrink * kappa + rho * (1.0 - own->shrink * own->follows)) * of->away[i];
        if (row)
            variances[i] = fmax(variances[i] - rho * row[i], LEAST_LEFT * variances[i]);
    }
    return kappa + mean_rho * (1.0 - own->follows);
}

static void condition_time(plan_condition *of, size_t t, size_t j)
{
    const plan_problem *problem = of->problem;
    size_t n = problem->n_draws;
    double *row = of->covariances ? of->covariances + t * n : NULL;
    if (row)
        condition_noise(of, t, j, row);
    for (size_t g = 0; g < problem->n_groups; g++)
        of->slopes[t * problem->n_groups + g] = condition_group(
            of, &of->groups[g], problem->means + t * n, problem->variances + t * n, row);
}

/* Quantities of the draws follow what is seen as means of other times do; noise tells nothing of
 * them. */
static void condition_quantities(const plan_condition *of)
{
    const plan_problem *problem = of->problem;
    for (size_t q = 0; q < problem->n_quantities; q++)
        for (size_t g = 0; g < problem->n_groups; g++)
            condition_group(of, &of->groups[g], problem->quantities + q * problem->n_draws, NULL,
                            NULL);
}

typedef struct conditioned_times {
    plan_condition *of;
    size_t observed;
} conditioned_times;

static void condition_some(void *context, size_t first, size_t end, int thread)
{
    const conditioned_times *own = context;
    (void)thread;
    for (size_t t = first; t < end; t++)
        condition_time(own->of, t, own->observed);
}

static equant_status condition_times(plan_condition *of, size_t j)
{
    const plan_problem *problem = of->problem;
    if (of->covariances) {
        of->shared[of->n] = malloc(problem->n_times * problem->n_draws * sizeof(float));
        equant_status status = of->shared[of->n]
                                   ? problem->covariances(problem->context, j, of->covariances)
                                   : status_out_of_memory();
        if (status != EQUANT_SUCCESS)
            return status;
    }
    conditioned_times own = {of, j};
    parallel_for(problem->n_threads, problem->n_times, 0, condition_some, &own);
    return EQUANT_SUCCESS;
}

equant_status plan_condition_on(plan_condition *of, size_t j, bool is_last, plan_outcomes *outcomes)
{
    const plan_problem *problem = of->problem;
    size_t n = problem->n_draws;
    memcpy(of->means, problem->means + j * n, n * sizeof *of->means);
    memcpy(of->variances, problem->variances + j * n, n * sizeof *of->variances);
    for (size_t g = 0; g < problem->n_groups; g++)
        of->groups[g] = look_at_group(of, g);
    condition_quantities(of);
    equant_status status = is_last ? EQUANT_SUCCESS : condition_times(of, j);
    if (status != EQUANT_SUCCESS)
        return status;
    const plan_seen seen = {j, of->means, of->variances};
    return plan_outcomes_see(outcomes, problem, &seen, of->n++, of->slopes);
}
