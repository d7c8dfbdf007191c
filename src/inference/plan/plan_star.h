/* A star whose observations are planned: what its draws predict at all candidates, and the search
 * among them. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_STAR_H
#define EQUANT_INFERENCE_PLAN_PLAN_STAR_H

#include "inference/plan/plan_record.h"

typedef struct plan_star {
    size_t n_models;
    forecast **models; /* [n_models] */
    equant_plan *plan;
    plan_problem problem;
    plan_search *search;
    double *means, *variances; /* [n_times][n_draws], by groups */
    double *unordered;         /* [BLOCK][n_draws of a model] twice; and of covariances */
    double *quantities;        /* [plan->n_quantities][n_draws] */
} plan_star;

/* Models, candidates and room for n_most choices, 0: as many as the options have; nothing is chosen
 * yet. Close it in any case. */
equant_status plan_star_open(size_t n_posteriors, const equant_posterior *const *posteriors,
                             const equant_candidates *candidates,
                             const equant_plan_options *options, size_t n_most, plan_star *star);

/* When all is chosen: why, and what is expected then. */
equant_status plan_star_conclude(plan_star *star);

/* Frees what making it has taken; the plan too, unless the caller has taken it away. */
void plan_star_close(plan_star *star);

#endif
