/* What all trials of a comparison of strategies have in common. */
#ifndef EQUANT_INFERENCE_STRATEGIES_TRIAL_SETTING_H
#define EQUANT_INFERENCE_STRATEGIES_TRIAL_SETTING_H

#include "equant.h"

typedef struct trial_setting {
    size_t n_times;
    const double *time_days; /* [n_times] */
    size_t n_nights;
    const size_t *night_ends; /* [n_nights]: one behind the last time of each */
    equant_question question;
    size_t n_stars, n_first, n_most;
    double amplitude, rotation, per_day_min, per_day_max, probability;
    double cadence_days, ahead_days, span_days;
    uint64_t seed;
} trial_setting;

/* The night of a time. */
static inline size_t trial_setting_night(const trial_setting *setting, size_t time)
{
    size_t low = 0, high = setting->n_nights - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (time < setting->night_ends[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static inline size_t trial_setting_night_begin(const trial_setting *setting, size_t night)
{
    return night > 0 ? setting->night_ends[night - 1] : 0;
}

#endif
