/* The search for planets where the noise is chosen. White noise finds every planet, and whatever
 * noise looks like one. Noise is offered in two ways, of which the better counts: planets are
 * looked for behind the noise of the star without planets, which may hide some; and of those that
 * white noise finds the superfluous go, but several that imitate noise together may stay. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_NOISE_SEARCH_H
#define EQUANT_INFERENCE_SELECT_PLANETS_NOISE_SEARCH_H

#include "inference/select/planets/planet_search.h"

equant_status noise_search_run(planet_search *search, planet_finder_result *result);

#endif
