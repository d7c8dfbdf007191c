/* Times that may be observed, as a caller names them, checked and with what was left to choose. */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_CANDIDATES_H
#define EQUANT_INFERENCE_PLAN_PLAN_CANDIDATES_H

#include "equant.h"

typedef struct plan_candidates {
    size_t n;
    double *time_days, *uncertainties_m_s; /* [n] */
    double *worth;                         /* [n]: weight over cost */
    int *instruments;                      /* [n] */
    int *places;                           /* [n] */
    double *starts_days, *ends_days;       /* [n]: by the clock, when the place is taken */
} plan_candidates;

equant_status plan_candidates_create(const equant_dataset *dataset, const equant_candidates *given,
                                     plan_candidates *made);
void plan_candidates_free(plan_candidates *candidates);

#endif
