/* The places where walkers begin: around the modes that were found, further apart than the
 * posterior is wide, so that populations which agree in the end have forgotten them. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_START_POINTS_H
#define EQUANT_INFERENCE_SAMPLE_RUN_START_POINTS_H

#include "inference/sample/target/posterior_density.h"
#include "inference/sample/run/start_modes.h"

typedef struct start_points_shape {
    size_t n_populations, n_temperatures, n_walkers;
    double span_days; /* of the observations */
    int n_threads;
} start_points_shape;

/* Fills start[population][temperature][walker][n_coordinates of the density]. Each population
 * divides its walkers between the modes in its own way: where walkers cannot pass from mode to
 * mode the populations will differ, and R-hat tells. Of every other population the coldest walkers
 * of the best mode are spread along its ridges, so that populations come to the posterior from
 * inside and from outside. Fails when all modes lie outside the prior. */
equant_status start_points_fill(posterior_density *density, const priors *wanted,
                                const start_modes *modes, const start_points_shape *shape,
                                uint64_t seed, double *start);

#endif
