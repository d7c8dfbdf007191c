/* What a plan tells apart: the draws of one or several posteriors, ordered by the modes of their
 * periods, by models, or by the value of a quantity. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_GROUPS_H
#define EQUANT_INFERENCE_PLAN_PLAN_GROUPS_H

#include "inference/predict/forecast.h"

enum { PLAN_GROUPS_MOST = 16, PLAN_GROUPS_NAME_SIZE = 96 };

typedef struct plan_groups {
    bool is_target; /* the group itself is to be learnt; else all parameters */
    bool is_of_quantity;
    size_t n, n_draws;
    size_t ends[PLAN_GROUPS_MOST];
    double weights[PLAN_GROUPS_MOST]; /* of sum 1 */
    bool are_modes;
    size_t modes[PLAN_GROUPS_MOST]; /* their numbers in the posterior, where they are modes */
    char names[PLAN_GROUPS_MOST][PLAN_GROUPS_NAME_SIZE];
    size_t *order; /* [n_draws]: which draw stands at each place, models one behind the other */
} plan_groups;

/* probabilities of the models, [n_models], of any sum, or NULL; target as in equant_plan_options.
 */
equant_status plan_groups_create(size_t n_models, forecast *const *models, const char *target,
                                 const double *probabilities, plan_groups *made);
void plan_groups_free(plan_groups *groups);

/* The two heaviest groups; n >= 2. */
void plan_groups_heaviest(const plan_groups *groups, size_t pair[2]);

#endif
