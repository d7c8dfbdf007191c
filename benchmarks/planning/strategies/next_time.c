#include "strategies/next_time.h"

#include <math.h>

/* The first time after a time of which another night is; last_time where there is none. */
static size_t after_night(const trial_setting *setting, const trial_star *star, size_t time)
{
    size_t end = setting->night_ends[trial_setting_night(setting, time)];
    return end < star->last_time ? end : star->last_time;
}

/* The first time that is not before some day. */
static size_t not_before(const trial_setting *setting, const trial_star *star, size_t from,
                         double day)
{
    while (from < star->last_time && setting->time_days[from] < day)
        from++;
    return from;
}

static size_t any_of_night(const trial_setting *setting, const trial_star *star, size_t time,
                           number_source *numbers)
{
    if (time >= star->last_time)
        return star->last_time;
    size_t night = trial_setting_night(setting, time),
           begin = trial_setting_night_begin(setting, night), end = setting->night_ends[night];
    end = end < star->last_time ? end : star->last_time;
    return begin + number_source_below(numbers, end - begin);
}

/* One of the nights that lie within twice the cadence, less one: as many on average. */
static size_t random_night(const trial_setting *setting, const trial_star *star, size_t first,
                           number_source *numbers)
{
    if (first >= star->last_time)
        return star->last_time;
    double until = setting->time_days[first] + 2.0 * setting->cadence_days - 1.5;
    size_t night = trial_setting_night(setting, first), n = 1;
    while (night + n < setting->n_nights &&
           setting->time_days[setting->night_ends[night + n - 1]] < until)
        n++;
    night += number_source_below(numbers, n);
    return any_of_night(setting, star, trial_setting_night_begin(setting, night), numbers);
}

/* Whole nights are half a day from others: a cadence is met by the night that is nearest to it. */
static size_t regular_night(const trial_setting *setting, const trial_star *star, size_t last,
                            size_t first, number_source *numbers)
{
    double day = setting->time_days[last] + setting->cadence_days - 0.5;
    return any_of_night(setting, star, not_before(setting, star, first, day), numbers);
}

static equant_status best_time(const trial_setting *setting, const trial_star *star,
                               observing_strategy strategy, period_belief *belief, size_t first,
                               time_gain_room *room, size_t *next)
{
    *next = star->last_time;
    if (first >= star->last_time)
        return EQUANT_SUCCESS;
    double highest = -INFINITY, gain = 0.0;
    /* In the time of year at which a star is not seen, the days ahead begin with its return. */
    double until = fmax(belief->last_days, setting->time_days[first] - 1.0) + setting->ahead_days;
    time_gain_group(strategy, belief, room);
    for (size_t k = first; k < star->last_time && setting->time_days[k] <= until; k++) {
        equant_status status = time_gain_at(belief, setting->time_days[k], room, &gain);
        if (status != EQUANT_SUCCESS)
            return status;
        if (gain > highest) {
            highest = gain;
            *next = k;
        }
    }
    return EQUANT_SUCCESS;
}

equant_status next_time_find(const trial_setting *setting, const trial_star *star,
                             observing_strategy strategy, period_belief *belief, size_t last,
                             number_source *numbers, time_gain_room *room, size_t *next)
{
    size_t first = after_night(setting, star, last);
    switch (strategy) {
    case STRATEGY_RANDOM:
        *next = random_night(setting, star, first, numbers);
        return EQUANT_SUCCESS;
    case STRATEGY_UNIFORM:
        *next = regular_night(setting, star, last, first, numbers);
        return EQUANT_SUCCESS;
    case STRATEGY_EVERYTHING:
    case STRATEGY_MODES:
    case STRATEGY_CANDIDATE:
        break;
    }
    return best_time(setting, star, strategy, belief, first, room, next);
}
