/* Whether the correlated noise of a star has a period: rotation against noise of any memory without
 * one. */
#ifndef EQUANT_INFERENCE_OPTIMISE_NOISE_PERIOD_H
#define EQUANT_INFERENCE_OPTIMISE_NOISE_PERIOD_H

#include "inference/optimise/solution.h"

/* The probability that the rotation of a fitted solution is periodic: its evidence against that of
 * the same model with the term of the menu that has no period in its place, everything refitted and
 * both under their priors. 1 where every model has the rotation, because it was asked for; NaN
 * without a rotation, or where the menu has nothing to put in its place. */
equant_status noise_period_probability(study *star, size_t n_fixed, const solution *fitted,
                                       double *probability);

#endif
