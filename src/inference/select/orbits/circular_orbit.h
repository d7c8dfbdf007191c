/* Circular orbits behind a background. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_CIRCULAR_ORBIT_H
#define EQUANT_INFERENCE_SELECT_ORBITS_CIRCULAR_ORBIT_H

#include "inference/search/base_columns.h"

/* The best circle of this frequency, by how much it raises ln L, and its elements. */
equant_status circular_orbit_best(const study *star, const base_columns *base,
                                  double frequency_per_day, double elements[N_ELEMENTS],
                                  double *gain);

/* The share of each other's signal that circles of two frequencies explain: 0 where the data tell
 * them apart, 1 where they cannot. */
equant_status circular_orbit_overlap(const study *star, const base_columns *base,
                                     double one_per_day, double other_per_day, double *overlap);

#endif
