/* Planets of a fit, from what the finder has found: quantities with their errors, other periods,
 * probabilities; and the candidate that was refused. */
#ifndef EQUANT_INFERENCE_FIT_FIT_PLANETS_H
#define EQUANT_INFERENCE_FIT_FIT_PLANETS_H

#include "inference/select/planets/planet_finder.h"
#include "inference/fit/fit_record.h"
#include "inference/priors/stated_star.h"

/* By period, with everything that is kept per planet. */
void fit_planets_sort(planet_finder_result *finding, bool *is_fixed, char *letters);

/* Copies the solution, its covariance and its planets into the fit, which has its residuals. */
equant_status fit_planets_keep(study *star, planet_finder_result *finding, const bool *is_fixed,
                               const stated_star *stated, const equant_fit_options *options,
                               equant_fit *fit);

equant_status fit_planets_keep_candidate(study *star, planet_finder_result *finding,
                                         const bool *is_fixed, const host_star *host,
                                         equant_fit *fit);

/* How probable each planet and each number of planets is, where that was weighed; those that were
 * given are there. */
void fit_planets_count(const planet_finder_result *finding, bool is_weighed, equant_fit *fit);

#endif
