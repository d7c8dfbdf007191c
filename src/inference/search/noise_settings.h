/* Other settings that the noise of a solution may have: draws from what the data say of its
 * parameters, the likelihood taken for Gaussian in their logarithms about the best (Laplace),
 * within their ranges. A scan has its noise fixed; behind several settings of it a peak that one of
 * them hides shows behind another. */
#ifndef EQUANT_INFERENCE_SEARCH_NOISE_SETTINGS_H
#define EQUANT_INFERENCE_SEARCH_NOISE_SETTINGS_H

#include "inference/optimise/solution.h"

/* Draw number `number` for a star whose noise has terms: `made`, which is created, becomes `fitted`
 * with other noise. *differs: false where nothing of it is free. */
equant_status noise_settings_draw(study *star, const solution *fitted, uint64_t seed,
                                  uint64_t number, solution *made, bool *differs);

#endif
