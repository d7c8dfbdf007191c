/* Draws given that a time is observed: plan_search.h has the formulas. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_CONDITION_H
#define EQUANT_INFERENCE_PLAN_PLAN_CONDITION_H

#include "inference/plan/plan_outcomes.h"

typedef struct plan_condition {
    const plan_problem *problem;
    size_t n, n_most;    /* times that are taken in, and room for so many                       */
    double *covariances; /* [n_times][n_draws] of the noise with the time in hand; NULL: white   */
    float **shared;      /* [n_most] of [n_times][n_draws]: c / sqrt V of each time taken in     */
    double *slopes;      /* [n_times][n_groups]                                                  */
    double *means, *variances, *away; /* [n_draws], of the time in hand                          */
    struct chosen_group *groups;      /* [n_groups]                                              */
} plan_condition;

/* Room for n_most times. Free it in any case. */
equant_status plan_condition_create(const plan_problem *problem, size_t n_most,
                                    plan_condition *made);
void plan_condition_free(plan_condition *of);

/* Conditions means and variances of the problem, its quantities and the outcomes on time j; the
 * last that is chosen leaves means and variances as they are, since nobody asks for them. */
equant_status plan_condition_on(plan_condition *of, size_t j, bool is_last,
                                plan_outcomes *outcomes);

#endif
