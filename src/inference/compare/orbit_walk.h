/* Steps of the orbit of one planet, its amplitudes integrated on all scales. */
#ifndef EQUANT_INFERENCE_COMPARE_ORBIT_WALK_H
#define EQUANT_INFERENCE_COMPARE_ORBIT_WALK_H

#include "inference/compare/population.h"

/* Makes the background of a slot: everything but its planet. */
equant_status orbit_walk_prepare(population *chain, size_t slot);

/* Walks the planet of a slot behind its background, and draws the scale of its amplitudes. */
equant_status orbit_walk_steps(population *chain, size_t slot, number_source *numbers);

/* Both. */
equant_status orbit_walk_go(population *chain, size_t slot, number_source *numbers);

#endif
