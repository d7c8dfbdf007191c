/* All stars under all strategies: the same planet, the same noise, the same first observations. */
#ifndef EQUANT_BENCHMARKS_STRATEGIES_H
#define EQUANT_BENCHMARKS_STRATEGIES_H

#include "strategies/trial_setting.h"

/* "random", "uniform", ... */
const char *strategy_name(observing_strategy strategy);

/* Ends of the nights of times in their order, [n_nights]; `ends` has room for n_times. */
size_t strategies_find_nights(size_t n_times, const double *time_days, size_t *ends);

/* trials: [N_STRATEGIES][n_stars]. Same setting, same result, on any number of threads. */
equant_status strategies_run(const trial_setting *setting, int n_threads, strategy_trial *trials);

#endif
