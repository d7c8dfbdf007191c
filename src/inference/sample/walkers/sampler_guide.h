/* A density that resembles the target, for moves to where walkers have been seen, whichever mode
 * that is in. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_GUIDE_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_GUIDE_H

#include <stdbool.h>

#include "statistics/random_draw.h"

typedef struct sampler_guide {
    const void *context;
    /* A point of the density, from the 2^13 random numbers of a stream that begin at `first`; false
     * where there is none. Both are called from several threads. */
    bool (*draw)(const void *context, random_stream stream, uint64_t first, double *coordinates);
    /* Its logarithm, but for a constant. */
    double (*log_density)(const void *context, const double *coordinates);
} sampler_guide;

#endif
