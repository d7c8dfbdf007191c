/* The end of a search: the model that it reports is the best that it has seen. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_BEST_SEEN_H
#define EQUANT_INFERENCE_SELECT_PLANETS_BEST_SEEN_H

#include "inference/select/planets/planet_search.h"

/* The current solution becomes the model with the highest score, and its planets are weighed anew,
 * until no model that was seen on the way has a higher one. Models that are no answer do not count:
 * those of which the data leave an orbit open, and those with a planet more that few observations
 * share in, that repeats with the observations or that a few wrong observations explain better. The
 * score goes to the result, with that of the best other model. */
equant_status best_seen_take(planet_search *search, planet_finder_result *result);

#endif
