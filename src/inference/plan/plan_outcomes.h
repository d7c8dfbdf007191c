/* What may have been seen at the times that are chosen: a few outcomes, each with its own
 * probabilities of groups and its own shifts of what these predict. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_OUTCOMES_H
#define EQUANT_INFERENCE_PLAN_PLAN_OUTCOMES_H

#include "inference/plan/plan_search.h"

typedef struct plan_outcomes {
    size_t n, n_most, n_groups, n_times;
    double *weights; /* [n_most][n_groups]                                      */
    double *shifts;  /* [n_most][n_times][n_groups]                             */
} plan_outcomes;

equant_status plan_outcomes_create(const plan_problem *problem, plan_outcomes *made);
void plan_outcomes_free(plan_outcomes *outcomes);

/* The mixture at a time in one outcome. */
mixture plan_outcomes_mixture(const plan_outcomes *outcomes, const plan_problem *problem,
                              size_t outcome, size_t time);

/* A time that is seen, as it was predicted before: [n_draws] each. */
typedef struct plan_seen {
    size_t time;
    const double *means, *variances;
} plan_seen;

/* It is the number-th that is chosen, from 0: one outcome becomes many, many go on. slopes is
 * [n_times][n_groups], by which a group follows what is seen. */
equant_status plan_outcomes_see(plan_outcomes *outcomes, const plan_problem *problem,
                                const plan_seen *seen, size_t number, const double *slopes);

/* The probability that the right group is expected to have: the mean of the sum of squares. */
double plan_outcomes_probability(const plan_outcomes *outcomes);

/* The variance that a quantity of the draws, [n_draws], is expected to have, groups included. */
double plan_outcomes_variance(const plan_outcomes *outcomes, const plan_problem *problem,
                              const double *quantity);

#endif
