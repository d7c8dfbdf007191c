/* Walkers spread along the ridges of a likelihood, which the parabola around a fit does not see. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_START_SPREAD_H
#define EQUANT_INFERENCE_SAMPLE_RUN_START_SPREAD_H

#include "inference/sample/target/posterior_density.h"

typedef struct start_spread_request {
    posterior_density *density;
    size_t n_planets;
    double span_days;     /* of the observations                                      */
    const double *centre; /* coordinates of a solution, inside the prior              */
    double level;         /* ln L below that of the solution down to which all is alike */
    size_t n_steps, n_walkers;
    uint64_t seed;
    int n_threads;
} start_spread_request;

/* Lets walkers, [n_walkers][n_coordinates], wander with the prior as their density wherever ln L is
 * at least that of the solution less the level: uniformly over all that fits nearly as well, which
 * is wider than the posterior and bent as it is. Planets keep the periods of the solution, by what
 * the observations can tell apart, so that no walker is lost to another mode. */
equant_status start_spread(const start_spread_request *request, double *walkers);

#endif
