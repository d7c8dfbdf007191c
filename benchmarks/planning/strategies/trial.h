/* One star under one strategy. */
#ifndef EQUANT_BENCHMARKS_TRIAL_H
#define EQUANT_BENCHMARKS_TRIAL_H

#include <stdbool.h>

#include "strategies/trial_setting.h"

/* Whether to go on, asked after each observation. */
typedef bool trial_is_wanted(void *context);

/* Observes star `number` until its period is known, or given up. Called by threads: what fails has
 * its sentence in the thread. */
equant_status trial_run(const trial_setting *setting, size_t number, observing_strategy strategy,
                        trial_is_wanted *is_wanted, void *context, strategy_trial *result);

#endif
