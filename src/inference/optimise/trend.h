/* Which trend a star has: none, a line or a parabola. */
#ifndef EQUANT_INFERENCE_OPTIMISE_TREND_H
#define EQUANT_INFERENCE_OPTIMISE_TREND_H

#include "inference/optimise/solution.h"

/* Gives a solution the order of the trend with the best score, everything refitted. Drifts that
 * offsets would have to take back are not considered. */
equant_status trend_choose(study *star, size_t n_fixed, solution *fitted);

#endif
