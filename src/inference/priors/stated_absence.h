/* The model that lacks planets of a solution with states, all else at its best again: orbits,
 * offsets, trend, jitters and noise. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_ABSENCE_H
#define EQUANT_INFERENCE_PRIORS_STATED_ABSENCE_H

#include "inference/priors/stated_star.h"

typedef struct stated_absence {
    solution fitted;
    stated_result found;
    double bic;
} stated_absence;

/* Its noise has the terms of the solution or, where the star chooses noise, those of the model
 * without planets, whichever has the lower BIC. */
equant_status stated_absence_create(study *star, const stated_star *own, const solution *best,
                                    const bool *is_absent, const solution *no_planets,
                                    stated_absence *made);
void stated_absence_free(stated_absence *made);

/* The model without planets, which is `known` where that is not NULL, takes the place of
 * no_planets. */
equant_status stated_absence_of_all(study *star, const stated_star *own, const solution *best,
                                    const stated_absence *known, solution *no_planets, double *bic);

#endif
