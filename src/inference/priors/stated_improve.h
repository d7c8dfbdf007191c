/* The best values of a solution with states: one optimisation, and where its noise is not white,
 * others from other scales of the noise and other periods. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_IMPROVE_H
#define EQUANT_INFERENCE_PRIORS_STATED_IMPROVE_H

#include "inference/priors/stated_star.h"

/* Optimises to the best values; what is found is in own->found. Other periods of planets are tried
 * where it relocates. */
equant_status stated_improve_begin(study *star, stated_star *own, bool relocates, solution *best);

/* Optimises from a trial, and keeps it where it ends higher than the best. */
equant_status stated_improve_take(study *star, stated_star *own, solution *trial, solution *best);

#endif
