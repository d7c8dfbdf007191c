/* Steps of the noise with all planets where they are and everything linear integrated. */
#ifndef EQUANT_INFERENCE_COUNT_NOISE_WALK_H
#define EQUANT_INFERENCE_COUNT_NOISE_WALK_H

#include "inference/count/population.h"

equant_status noise_walk_go(population *chain, number_source *numbers);

#endif
