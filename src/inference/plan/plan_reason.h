/* Why a time is worth observing, in words. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_REASON_H
#define EQUANT_INFERENCE_PLAN_PLAN_REASON_H

#include "inference/plan/plan_groups.h"

enum { PLAN_REASON_SIZE = 256 };

/* means and variances [n_draws] of the time, in the order of the groups; of the first of the
 * models where quantities are meant. */
equant_status plan_reason_write(const plan_groups *groups, const forecast *model,
                                const double *means, const double *variances,
                                char text[PLAN_REASON_SIZE]);

/* By how much the right one of two groups is expected to gain on the other, each taken for
 * normal: the mean of both directions, by their weights. */
double plan_reason_log_bayes_factor(const plan_groups *groups, const size_t pair[2],
                                    const double *means, const double *variances);

/* Quantities that people ask for; angles turn, and what is derived says the same again. */
bool plan_reason_is_told(const equant_sampled_quantity *own);

#endif
