/* What an observation is expected to tell, by what is believed of a period: of everything, of which
 * mode is right, or of whether the best one is. In nats, for observations with an error of 1. */
#ifndef EQUANT_BENCHMARKS_TIME_GAIN_H
#define EQUANT_BENCHMARKS_TIME_GAIN_H

#include "inference/predict/mixture.h"
#include "strategies/period_belief.h"
#include "strategies/trial_setting.h"

/* Room of a thread; frequencies that are not ruled out, by groups. */
typedef struct time_gain_room {
    observing_strategy strategy;
    mixture_grid grid;
    size_t n, n_asked, n_groups;
    double *means, *variances, *sorted; /* [n], [n] and [3][n] */
    size_t *order, *ends;               /* [n] */
} time_gain_room;

equant_status time_gain_room_create(size_t n_frequencies, time_gain_room *made);
void time_gain_room_free(time_gain_room *room);

/* What is to be told apart, once for all times that are asked for; the strategy is one of those
 * that look ahead. */
void time_gain_group(observing_strategy strategy, const period_belief *belief,
                     time_gain_room *room);
equant_status time_gain_at(period_belief *belief, double time_days, time_gain_room *room,
                           double *gain);

/* Half the width of a mode: frequencies that are nearer are the same. */
double time_gain_mode_width(const period_belief *belief);

#endif
