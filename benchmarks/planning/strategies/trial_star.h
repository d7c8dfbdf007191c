/* A star that is made up: one planet on a circle, noise by its rotation, and what would be seen at
 * every time at which it can be observed, whoever observes. Velocities are in units of the error of
 * an observation. */
#ifndef EQUANT_BENCHMARKS_TRIAL_STAR_H
#define EQUANT_BENCHMARKS_TRIAL_STAR_H

#include "inference/compare/number_source.h"
#include "strategies/period_belief.h"
#include "strategies/trial_setting.h"

typedef struct trial_star {
    double per_day, alias_per_day;
    noise_process process;
    size_t first_time, last_time; /* one behind: what may be observed of all times             */
    double *velocities;           /* [last_time - first_time]                                  */
    size_t *first_observations;   /* [n_first]: times, in their order                          */
} trial_star;

equant_status trial_star_create(const trial_setting *setting, size_t number, trial_star *made);
void trial_star_free(trial_star *star);

/* What is believed of it after the first observations. */
equant_status trial_star_begin(const trial_setting *setting, const trial_star *star,
                               period_belief *belief);

/* Random numbers of a star, for some use of them. */
typedef enum trial_use {
    TRIAL_USE_STAR,
    TRIAL_USE_NOISE,
    TRIAL_USE_NIGHTS,
    TRIAL_USE_BOOTSTRAP
} trial_use;
number_source trial_star_numbers(const trial_setting *setting, size_t number, trial_use use);

#endif
