/* What a fit says where its planets attract each other. */
#ifndef EQUANT_INFERENCE_INTERACTION_INTERACTION_REMARK_H
#define EQUANT_INFERENCE_INTERACTION_INTERACTION_REMARK_H

#include "inference/likelihood/remarks.h"
#include "inference/optimise/solution.h"

/* Adds the sentence about it to `into`, where it matters even for orbits as round as the data
 * allow: with eccentricities smaller by two errors, [n_planets], NaN where there is none. Those of
 * weak signals are too large rather than too small. star_mass 0 is said to be taken as 1. */
equant_status interaction_remark(study *star, const solution *best, double star_mass,
                                 const double *eccentricity_err, remarks *into);

#endif
