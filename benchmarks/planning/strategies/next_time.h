/* The time at which a strategy observes next. */
#ifndef EQUANT_BENCHMARKS_NEXT_TIME_H
#define EQUANT_BENCHMARKS_NEXT_TIME_H

#include "strategies/time_gain.h"
#include "strategies/trial_star.h"

/* Looks for a time after `last`; the star has no more: *next is its last_time. */
equant_status next_time_find(const trial_setting *setting, const trial_star *star,
                             observing_strategy strategy, period_belief *belief, size_t last,
                             number_source *numbers, time_gain_room *room, size_t *next);

#endif
