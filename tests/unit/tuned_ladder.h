/* Rounds of a sampler between which its ladder is adapted, for tests of tempering. */
#ifndef EQUANT_TESTS_TUNED_LADDER_H
#define EQUANT_TESTS_TUNED_LADDER_H

#include "inference/sample/walkers/sampler.h"

/* Rounds of first_length, 2 first_length, 4 first_length ... steps. */
static inline equant_status tune_ladder(sampler *s, size_t n_rounds, size_t first_length)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t round = 0; round < n_rounds && status == EQUANT_SUCCESS; round++) {
        status = sampler_advance(s, first_length << round);
        if (status == EQUANT_SUCCESS)
            status = sampler_adapt_ladder(s);
    }
    return status;
}

#endif
