/* Weak signals that repeat with the observations: the instrument, the air and the barycentric
 * correction have the day and the year in them, and errors of the size that they are said to have.
 */
#ifndef EQUANT_INFERENCE_FIND_OBSERVING_CYCLE_H
#define EQUANT_INFERENCE_FIND_OBSERVING_CYCLE_H

#include "inference/study/study.h"

/* The cycle that a planet of these elements repeats with, to the resolution of the data, where its
 * amplitude is below two typical errors: "the year"; NULL: none. A planet of the same period and a
 * larger amplitude is one: no instrument is that far off unnoticed. */
const char *observing_cycle_of(const study *star, const double elements[N_ELEMENTS]);

#endif
