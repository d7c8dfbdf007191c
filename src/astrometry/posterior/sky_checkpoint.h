/* A run of orbits on the sky in a file: what a call with the same data needs to go on to the same
 * draws. The data themselves are not in it, only a number that is another for others. */
#ifndef EQUANT_ASTROMETRY_POSTERIOR_SKY_CHECKPOINT_H
#define EQUANT_ASTROMETRY_POSTERIOR_SKY_CHECKPOINT_H

#include "inference/sample/run/sampler_run.h"

/* Adds bytes to a number that tells data and settings apart; begin with 0. */
uint64_t sky_checkpoint_origin(uint64_t origin, size_t n_bytes, const void *bytes);

/* What was asked of the fit behind a run: "zero point of the parallax", or, 0 or 1, "a jitter". */
typedef struct sky_checkpoint_setting {
    const char *what;
    double value;
    bool is_flag;
} sky_checkpoint_setting;

enum { SKY_CHECKPOINT_N_SETTINGS = 11 };

/* What a run comes from; all but the last is known before anything is fitted. */
typedef struct sky_checkpoint_source {
    uint64_t seed, data_origin;
    uint64_t n_populations, n_walkers, n_burn_in, thinning, max_draws;
    sky_checkpoint_setting settings[SKY_CHECKPOINT_N_SETTINGS];
    uint64_t origin; /* of everything that decides its draws */
} sky_checkpoint_source;

/* Takes the place of the file that may be there, whole or not at all. */
equant_status sky_checkpoint_write(const char *path, const sky_checkpoint_source *from,
                                   const sampler_run *run);

/* What can be told before the orbit is found: whether the file is of these data, this seed, these
 * settings and these numbers of the sampler, of which those that are 0 become the file's. */
equant_status sky_checkpoint_check(const char *path, sky_checkpoint_source *from);

/* Puts a run that was created alike where the file says. */
equant_status sky_checkpoint_read(const char *path, uint64_t origin, sampler_run *run);

#endif
