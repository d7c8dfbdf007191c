/* Two models of a star of which one has more planets and the other, perhaps, more noise. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_RIVAL_H
#define EQUANT_INFERENCE_SELECT_PLANETS_RIVAL_H

#include "inference/search/significance.h"

/* Whether a solution has a planet of this period, to the resolution of the data. */
bool rival_has_period(const study *star, const solution *model, double period_days);

/* Whether a model is to be preferred. The one with more planets has to have them from more than
 * chance; with as many planets, the evidence decides. */
bool rival_is_beaten(const study *star, const significance *judge, const solution *model,
                     const solution *rival, double probability);

#endif
