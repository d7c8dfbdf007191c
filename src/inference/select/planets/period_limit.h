/* Planets whose period lies at the end of the range that is searched: the range is widened where
 * the caller left it open, and where that does not help, the period has a bound. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_PERIOD_LIMIT_H
#define EQUANT_INFERENCE_SELECT_PLANETS_PERIOD_LIMIT_H

#include "inference/optimise/solution.h"

/* The end at which a period lies. */
equant_limit period_limit_of(const study *star, double period_days);

/* Follows a planet at the longest period beyond it, to eight times the span at most,
 * and lets the star keep the range within which the likelihood has its maximum; where it has none,
 * star and solution stay as they are. `spare` is to work with. */
equant_status period_limit_widen(study *star, size_t n_fixed, double tolerance, solution *fitted,
                                 solution *spare);

/* The period of a planet at a limit that is as far inside the range as the data allow: there ln L
 * is lower by 1/2, everything else refitted. NaN where it is nowhere so much lower. */
equant_status period_limit_bound(study *star, size_t n_fixed, const solution *fitted, size_t planet,
                                 solution *spare, double *bound_days);

#endif
