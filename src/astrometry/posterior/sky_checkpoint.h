/* A run of orbits on the sky in a file: what a call with the same data needs to go on to the same
 * draws. The data themselves are not in it, only a number that is another for others. */
#ifndef EQUANT_ASTROMETRY_POSTERIOR_SKY_CHECKPOINT_H
#define EQUANT_ASTROMETRY_POSTERIOR_SKY_CHECKPOINT_H

#include "inference/run/sampler_run.h"

/* Adds bytes to a number that tells data and settings apart; begin with 0. */
uint64_t sky_checkpoint_origin(uint64_t origin, size_t n_bytes, const void *bytes);

/* What a run comes from, by such numbers. */
typedef struct sky_checkpoint_source {
    uint64_t seed, data_origin; /* known before anything is fitted */
    uint64_t origin;            /* of everything that decides its draws */
} sky_checkpoint_source;

/* Takes the place of the file that may be there, whole or not at all. */
equant_status sky_checkpoint_write(const char *path, const sky_checkpoint_source *from,
                                   const sampler_run *run);

/* What can be told before the orbit is found: whether the file is of these data, this seed and,
 * where they are not 0, these numbers. */
equant_status sky_checkpoint_check(const char *path, const sky_checkpoint_source *from,
                                   size_t n_populations, size_t n_walkers);

/* Puts a run that was created alike where the file says. */
equant_status sky_checkpoint_read(const char *path, uint64_t origin, sampler_run *run);

#endif
