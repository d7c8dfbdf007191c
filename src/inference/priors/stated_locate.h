/* Planets of which something is known, each put where the data want it beside those before it. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_LOCATE_H
#define EQUANT_INFERENCE_PRIORS_STATED_LOCATE_H

#include "inference/priors/stated_star.h"

/* The optimisation problem of a solution. */
stated_problem stated_locate_problem(study *star, const stated_star *own, const solution *fitted);

/* Whether a period is known so well that no orbit slips by a quarter of a turn over the data. */
bool stated_locate_is_sharp(const prior_density *period, double span_days);

/* Adds a planet whose period is known to the current solution, noise kept until the best start is
 * known. `trial` and `best` are room to work in. */
equant_status stated_locate_planet(study *star, stated_star *own, char letter, solution *current,
                                   solution *trial, solution *best);

#endif
