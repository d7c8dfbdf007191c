/* Random numbers one after the other, of one population in one sweep: where a run stops between
 * sweeps and goes on later, and on however many threads, they are the same. */
#ifndef EQUANT_INFERENCE_COMPARE_NUMBER_SOURCE_H
#define EQUANT_INFERENCE_COMPARE_NUMBER_SOURCE_H

#include <math.h>
#include <stddef.h>

#include "statistics/random_draw.h"

typedef struct number_source {
    random_stream stream;
    uint64_t next;
} number_source;

static inline number_source number_source_at(uint64_t seed, size_t population, uint64_t sweep)
{
    return (number_source){{seed, RANDOM_PURPOSE_COUNT, (uint32_t)(1 + population)}, sweep << 24};
}

/* In (0, 1). */
static inline double number_source_uniform(number_source *from)
{
    uint64_t index = from->next++;
    return random_uniforms_at(from->stream, index).half[0];
}

static inline double number_source_normal(number_source *from)
{
    return random_normal_quantile(number_source_uniform(from));
}

/* Of 0 to n - 1. */
static inline size_t number_source_below(number_source *from, size_t n)
{
    size_t drawn = (size_t)(number_source_uniform(from) * (double)n);
    return drawn < n ? drawn : n - 1;
}

/* A step whose size is unknown beforehand: normal, with a scale uniform in its logarithm. */
static inline double number_source_step(number_source *from, double smallest, double largest)
{
    double scale = smallest * pow(largest / smallest, number_source_uniform(from));
    return scale * number_source_normal(from);
}

#endif
