/* Maximum likelihood: orbits, offsets, trend and jitters together, by turns. */
#ifndef EQUANT_INFERENCE_OPTIMISE_MAXIMUM_LIKELIHOOD_H
#define EQUANT_INFERENCE_OPTIMISE_MAXIMUM_LIKELIHOOD_H

#include "inference/optimise/least_squares.h"
#include "inference/optimise/solution.h"

/* How far a turn must still raise ln L for another to follow: to rank candidates, and to
 * publish. */
#define POLISH_TO_RANK 1e-2
#define POLISH_TO_PUBLISH 1e-8

/* Optimises n_sets parameter sets in place. log_likelihood is [n_sets]; -inf where a set is
 * outside the domain. */
equant_status maximum_likelihood_sets(study *star, const least_squares_problem *problem,
                                      size_t n_sets, double tolerance, double *sets,
                                      double *log_likelihood);

/* The same for one solution. */
equant_status maximum_likelihood_solution(study *star, size_t n_fixed, double tolerance,
                                          solution *optimised);
/* The same with its last planet kept on a circle. */
equant_status maximum_likelihood_circle(study *star, size_t n_fixed, double tolerance,
                                        solution *optimised);

#endif
