/* Shapes of the noise that a search has ended with, other than the one that it was made with: which
 * planets come with them, and which go. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_SHAPE_SEARCH_H
#define EQUANT_INFERENCE_SELECT_PLANETS_SHAPE_SEARCH_H

#include "inference/select/planets/planet_search.h"

/* Where another shape is likelier, with the planets that were found, with the candidate that was
 * refused or without one of the planets, the search goes on behind it, and shapes are among what is
 * chosen from then on. */
equant_status shape_search_run(planet_search *search, planet_finder_result *result);

#endif
