/* What the planets of a solution may be instead: another period of theirs, noise that several of
 * them imitate together, nothing, or the observations' own cycle. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_PLANET_DOUBTS_H
#define EQUANT_INFERENCE_SELECT_PLANETS_PLANET_DOUBTS_H

#include "inference/select/planets/planet_search.h"

/* Which of the periods that observing repeats each signal has; models in which one is another have
 * their planets weighed anew. With that the odds of each planet are known. */
equant_status planet_doubts_resolve(planet_search *search, planet_finder_result *result);

/* Planets that are less probable together than a model without them, noise chosen anew, go; once,
 * planets are looked for beside that noise; what is left is weighed again. */
equant_status planet_doubts_drop_together(planet_search *search, planet_finder_result *result);

/* Planets that are not probable enough, or repeat with the observations, become candidates. */
equant_status planet_doubts_drop_each(planet_search *search, planet_finder_result *result);

/* How probable the candidate is beside the planets of the final model. */
equant_status planet_doubts_judge_candidate(planet_search *search, planet_finder_result *result);

#endif
