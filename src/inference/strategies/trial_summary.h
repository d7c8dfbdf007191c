/* What all stars under a strategy come to, against those of uniform nights. */
#ifndef EQUANT_INFERENCE_STRATEGIES_TRIAL_SUMMARY_H
#define EQUANT_INFERENCE_STRATEGIES_TRIAL_SUMMARY_H

#include "inference/strategies/trial_setting.h"

/* trials and uniform: [n_stars]. */
equant_status trial_summary_make(const trial_setting *setting, const equant_strategy_trial *trials,
                                 const equant_strategy_trial *uniform,
                                 equant_strategy_summary *made);

#endif
