/* Weak signals that repeat with the observations: the instrument, the air and the barycentric
 * correction have the day and the year in them, and errors of the size of the noise. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_OBSERVING_CYCLE_H
#define EQUANT_INFERENCE_SELECT_PLANETS_OBSERVING_CYCLE_H

#include "inference/optimise/solution.h"

/* The cycle that a planet of a model repeats with, to the resolution of the data, where its
 * amplitude is below twice the noise of an observation, jitters and other noise included: "the
 * year"; NULL: none. A planet of the same period and a larger amplitude is one: no instrument is
 * that far off unnoticed. */
const char *observing_cycle_of(const study *star, const solution *fitted, size_t planet);

#endif
