/* What all trials of a comparison of strategies have in common. */
#ifndef EQUANT_BENCHMARKS_TRIAL_SETTING_H
#define EQUANT_BENCHMARKS_TRIAL_SETTING_H

#include <stdbool.h>

#include "equant.h"

/* How the next observation is chosen. The last three look at all times of the coming days and take
 * the one that is expected to tell most, by what is believed after all observations so far. */
typedef enum observing_strategy {
    STRATEGY_RANDOM,     /* a random night, on average as often as the next     */
    STRATEGY_UNIFORM,    /* a night every so many days                          */
    STRATEGY_EVERYTHING, /* about all parameters: maximum entropy               */
    STRATEGY_MODES,      /* about which of all periods is right                 */
    STRATEGY_CANDIDATE   /* about whether the most probable one is              */
} observing_strategy;
enum { N_STRATEGIES = 5 };

typedef enum trial_question {
    QUESTION_PERIOD, /* which of all periods, or none                                   */
    QUESTION_ALIAS   /* the period or its alias of a day, when these two remain         */
} trial_question;

/* A star under a strategy. */
typedef struct strategy_trial {
    double period_days;    /* of its planet                                                     */
    int is_answered;       /* the right answer has come to the probability that was asked for   */
    int is_misled;         /* a wrong one had come there before                                 */
    size_t n_observations; /* after the first ones, until then or until it was given up         */
    double days;           /* from the last of the first ones                                   */
    double probability;    /* of the right answer in the end                                    */
} strategy_trial;

/* Amplitudes are in units of the error of an observation. */
typedef struct trial_setting {
    size_t n_times;
    const double *time_days; /* [n_times]: those of one night within 0.3 days of each other */
    size_t n_nights;
    const size_t *night_ends; /* [n_nights]: one behind the last time of each */
    trial_question question;
    size_t n_stars, n_first, n_most;
    double amplitude, rotation; /* of the planet, of noise by rotation */
    double per_day_min, per_day_max, probability;
    double cadence_days; /* of uniform and random nights */
    double ahead_days;   /* that others look at */
    double span_days;    /* after which a star is given up */
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
