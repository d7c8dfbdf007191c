/* What all stars under a strategy come to, against those of uniform nights. */
#ifndef EQUANT_BENCHMARKS_TRIAL_SUMMARY_H
#define EQUANT_BENCHMARKS_TRIAL_SUMMARY_H

#include "strategies/trial_setting.h"

/* One without an answer counts with all n_most observations, however many it was given: means are
 * then too small. Errors are of 1000 bootstrap samples of the stars. */
typedef struct strategy_summary {
    size_t n_answered, n_misled;
    double mean_observations, mean_error; /* after the first ones */
    double median_observations;
    double saving, saving_error;               /* 1 - mean / mean of uniform nights       */
    double saving_of_all, saving_of_all_error; /* the same, with the first ones counted   */
    double mean_days;
} strategy_summary;

/* trials and uniform: [n_stars]. */
equant_status trial_summary_make(const trial_setting *setting, const strategy_trial *trials,
                                 const strategy_trial *uniform, strategy_summary *made);

#endif
