/* Which planet of a run is which planet of a fit: the two may have more, fewer or other ones. */
#ifndef EQUANT_APP_POSTERIORS_PLANET_PAIRS_H
#define EQUANT_APP_POSTERIORS_PLANET_PAIRS_H

#include "stars/star_result.h"

/* For each planet of the star the number of the one of the run, from 1, that has the most draws
 * where the fit has its period; 0 where no planet of the run has one draw in a hundred there. None
 * stands twice. `numbers`: [n_planets of the star]. Returns an exit code, with a sentence on
 * failure. */
int planet_pairs_find(const struct star_result *star, const equant_posterior *posterior,
                      size_t *numbers);

#endif
