/* Times to choose from, out of the windows of nights. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "observing/night_list.h"

enum { MOST_TIMES = 2000000 };

static equant_status add_time(equant_nights *list, const equant_window *window, double jd,
                              const sky_day *day)
{
    if (list->n_times == MOST_TIMES)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there are more than %d times in these nights; take longer steps",
                           (int)MOST_TIMES);
    if (list->n_times == list->time_capacity) {
        size_t capacity = list->time_capacity == 0 ? 256 : 2 * list->time_capacity;
        night_time *grown = realloc(list->times, capacity * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        list->times = grown;
        list->time_capacity = capacity;
    }
    night_time *added = &list->times[list->n_times++];
    added->site = window->site;
    added->night = window->night;
    sky_day_at(day, jd, &added->sky);
    return EQUANT_SUCCESS;
}

/* Full steps of the day that lie in a window, so that times are round; its middle where there is
 * none. */
static equant_status add_times_of(equant_nights *list, const equant_window *window,
                                  double step_days)
{
    const equant_night *night = &list->nights[window->night];
    double midnight = floor(window->start_jd_utc - 0.5) + 0.5;
    double first = ceil((window->start_jd_utc - midnight) / step_days - 1e-9);
    double last = floor((window->end_jd_utc - midnight) / step_days + 1e-9);
    sky_day *day = NULL;
    equant_status status =
        sky_day_create(&list->sites[window->site], &list->star, night->noon_jd_utc + 0.5, &day);
    if (status == EQUANT_SUCCESS && last < first)
        status = add_time(list, window, 0.5 * (window->start_jd_utc + window->end_jd_utc), day);
    for (double i = first; i <= last && status == EQUANT_SUCCESS; i += 1.0)
        status = add_time(list, window, midnight + i * step_days, day);
    sky_day_free(day);
    return status;
}

static int compare_times(const void *left, const void *right)
{
    const night_time *a = left, *b = right;
    if (a->sky.jd_utc != b->sky.jd_utc)
        return a->sky.jd_utc < b->sky.jd_utc ? -1 : 1;
    return (a->site > b->site) - (a->site < b->site);
}

static int compare_heights(const void *left, const void *right)
{
    const night_time *const *a = left, *const *b = right;
    double difference = (*b)->sky.altitude_deg - (*a)->sky.altitude_deg;
    if (difference != 0.0)
        return difference > 0.0 ? 1 : -1;
    return (*a > *b) - (*a < *b);
}

/* Times are in order, so that those too near to one stand beside it. */
static void strike_near(const equant_nights *list, size_t taken, double gap_days, char *is_struck)
{
    double jd = list->times[taken].sky.jd_utc;
    for (size_t i = taken; i-- > 0 && jd - list->times[i].sky.jd_utc < gap_days;)
        is_struck[i] = 1;
    for (size_t i = taken + 1; i < list->n_times && list->times[i].sky.jd_utc - jd < gap_days; i++)
        is_struck[i] = 1;
}

static equant_status thin_times(equant_nights *list, double gap_days)
{
    size_t n = list->n_times, n_kept = 0;
    char *is_struck = calloc(n + 1, 1);
    const night_time **by_height = malloc((n + 1) * sizeof *by_height);
    if (is_struck == NULL || by_height == NULL) {
        free(is_struck);
        free(by_height);
        return status_out_of_memory();
    }
    for (size_t i = 0; i < n; i++)
        by_height[i] = &list->times[i];
    qsort(by_height, n, sizeof *by_height, compare_heights);
    for (size_t i = 0; i < n; i++) {
        size_t index = (size_t)(by_height[i] - list->times);
        if (!is_struck[index])
            strike_near(list, index, gap_days, is_struck);
    }
    for (size_t i = 0; i < n; i++)
        if (!is_struck[i])
            list->times[n_kept++] = list->times[i];
    list->n_times = n_kept;
    free(is_struck);
    free(by_height);
    return EQUANT_SUCCESS;
}

equant_status equant_nights_find_times(equant_nights *nights, double step_minutes, double gap_hours)
{
    if (nights == NULL || !(step_minutes >= 0.0 && step_minutes <= 1440.0) ||
        !(gap_hours >= 0.0 && gap_hours < 1e6))
        return status_fail(
            EQUANT_ERROR_INVALID_ARGUMENT,
            "times are every %g minutes and %g hours apart; neither is negative, and "
            "a step is a day at most",
            step_minutes, gap_hours);
    double step_days = (step_minutes == 0.0 ? 10.0 : step_minutes) / 1440.0;
    equant_status status = EQUANT_SUCCESS;
    nights->n_times = 0;
    for (size_t i = 0; i < nights->n_windows && status == EQUANT_SUCCESS; i++)
        status = add_times_of(nights, &nights->windows[i], step_days);
    if (status == EQUANT_SUCCESS && nights->n_times > 0) {
        qsort(nights->times, nights->n_times, sizeof *nights->times, compare_times);
        if (gap_hours > 0.0)
            status = thin_times(nights, gap_hours / 24.0 - 1e-9);
    }
    if (status != EQUANT_SUCCESS)
        nights->n_times = 0;
    return status;
}

size_t equant_nights_n_times(const equant_nights *nights)
{
    return nights == NULL ? 0 : nights->n_times;
}

equant_status equant_nights_time(const equant_nights *nights, size_t index, size_t *site,
                                 equant_sky_conditions *conditions)
{
    equant_status status =
        STATUS_CHECK_ITEM(conditions, "times", equant_nights_n_times(nights), index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_conditions known = nights->times[index].sky;
    OPTIONS_FILL(known, conditions);
    if (site != NULL)
        *site = nights->times[index].site;
    return EQUANT_SUCCESS;
}
