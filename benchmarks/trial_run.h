/* What benchmarks in C share: they stop at the first failure, and look at the clock. */
#ifndef EQUANT_BENCHMARKS_TRIAL_RUN_H
#define EQUANT_BENCHMARKS_TRIAL_RUN_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "equant.h"

static inline void must(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "benchmark: %s\n", equant_last_error());
        exit(1);
    }
}

static inline void *allocate(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (!memory) {
        fprintf(stderr, "benchmark: not enough memory\n");
        exit(1);
    }
    return memory;
}

static inline double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
