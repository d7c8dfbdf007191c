/* What a sampler knows of the density that it samples: coordinates in, prior and likelihood
 * out. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_TARGET_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_TARGET_H

#include "equant.h"

struct coordinate_map; /* statistics/coordinate_map.h */

typedef struct sampler_target {
    size_t n_coordinates, n_parameters;
    const unsigned char *is_angle; /* [n_coordinates]: wraps at 2 pi; NULL: none does */
    /* [n_coordinates]: labels of coordinates that belong together, such as those of one planet;
     * NULL: all do. */
    const unsigned char *subset;
    void *context;
    /* The logarithm of the prior's density in these coordinates, -INFINITY outside of it; fills
     * the parameter set that `evaluate` takes. Called from several threads. */
    double (*prepare)(const void *context, const double *coordinates, double *parameters);
    /* Log-likelihoods of n_sets >= 1 parameter sets, each a function of its own set alone. */
    equant_status (*evaluate)(void *context, size_t n_sets, const double *parameters,
                              double *log_likelihood);
    /* Optional: coordinates from the prior, a function of seed and index alone. Called from
     * several threads. Walkers at beta = 0 then never need to wander. */
    void (*draw)(const void *context, uint64_t seed, uint64_t index, double *coordinates);
    /* Optional: with both, walkers live on the device of the evaluator's backend, where that has
     * room for them. `prepare` and `draw` are then those of the map, and `evaluate` has the
     * evaluator's log-likelihoods and nothing else. */
    equant_evaluator *evaluator;
    const struct coordinate_map *map;
} sampler_target;

#endif
