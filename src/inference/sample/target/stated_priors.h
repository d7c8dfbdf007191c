/* What states mean to a sampler: priors of columns in place of those that were there, and
 * coordinates in which what is known of an event is simple. What follows from orbits multiplies the
 * likelihood (posterior_density.h). */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_STATED_PRIORS_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_STATED_PRIORS_H

#include "inference/sample/target/star_priors.h"
#include "inference/priors/state_list.h"
#include "statistics/orbit_basis.h"

/* A copy of priors in which the states count, for the caller to free. The states were checked
 * against the star. */
equant_status stated_priors_create(const equant_states *states, const equant_dataset *dataset,
                                   const equant_priors *from, equant_priors **made);

/* The coordinates of orbits that words ask for (equant/sample.h; NULL: none) and states want, for
 * as many planets; *is_usual where there is nothing to them. */
equant_status stated_priors_basis(const equant_states *states, const char *words, size_t n_planets,
                                  double reference_time_days, orbit_basis *basis, bool *is_usual);

#endif
