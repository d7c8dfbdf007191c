/* A plan: what it says, when it is made. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_RECORD_H
#define EQUANT_INFERENCE_PLAN_PLAN_RECORD_H

#include "inference/plan/plan_candidates.h"
#include "inference/plan/plan_groups.h"
#include "inference/plan/plan_reason.h"
#include "inference/plan/plan_search.h"

enum { PLAN_RECORD_NAME = 48 };

/* A quantity whose spread the plan changes. */
typedef struct plan_quantity {
    char name[PLAN_RECORD_NAME];
    double now, after;
} plan_quantity;

struct equant_plan {
    plan_candidates times;
    plan_groups groups;
    double *gains, *log_bayes_factors; /* [times.n] */
    mixture_facts *facts;              /* [times.n] */
    size_t n_chosen, n_most;
    plan_choice *chosen;               /* [n_most] */
    char (*reasons)[PLAN_REASON_SIZE]; /* [n_most] */
    size_t n_quantities;
    plan_quantity *quantities;
};

#endif
