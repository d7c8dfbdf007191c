/* Steps of the noise with all planets where they are and everything linear integrated. */
#ifndef EQUANT_INFERENCE_COMPARE_NOISE_WALK_H
#define EQUANT_INFERENCE_COMPARE_NOISE_WALK_H

#include "inference/compare/population.h"

/* Another noise to be tried, in the place that is not the current one: some parameters anywhere in
 * their priors, or all a step away. As likely there and back. False where there is none. */
bool noise_walk_jump(population *chain, number_source *numbers);

equant_status noise_walk_go(population *chain, number_source *numbers);

#endif
