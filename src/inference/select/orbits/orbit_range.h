/* Where the amplitude and the eccentricity of an orbit near one probably lie. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_RANGE_H
#define EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_RANGE_H

#include "inference/search/base_columns.h"

/* Where 68.3 % of the probability of an orbit near one lie, from 15.9 % below to 84.1 %: of its
 * amplitude, infinite where nothing in the data ends it, and of its eccentricity, then 1. */
typedef struct orbit_range {
    double k_m_s[2], eccentricity[2];
} orbit_range;

equant_status orbit_range_find(const study *star, const base_columns *base,
                               const double elements[N_ELEMENTS], orbit_range *range);

#endif
