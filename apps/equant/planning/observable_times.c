#include "planning/observable_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"

#define MINUTES_PER_DAY 1440.0

bool night_times_are_dates(double time_days)
{
    return time_days > 2400000.5 && time_days < 2500000.5;
}

/* The shortest exposure that may be made at a site. */
static double exposure_at(const struct setups *setups, size_t n_sites, size_t site)
{
    double shortest = setups->of[n_sites > 1 ? site : 0].exposure_days;
    for (size_t k = 0; k < setups->n && n_sites == 1; k++)
        shortest = fmin(shortest, setups->of[k].exposure_days);
    return shortest;
}

/* Whether an exposure around a time ends before a limit is broken, and begins after. */
static bool is_whole(const struct found_nights *found, size_t site, double jd_utc,
                     double exposure_days)
{
    const double a_second = 1.0 / 86400.0;
    if (!(exposure_days > 0.0))
        return true;
    for (size_t i = 0; i < equant_nights_n_windows(found->nights); i++) {
        equant_window window = found_nights_window(found, i);
        if (window.site == site && jd_utc - 0.5 * exposure_days > window.start_jd_utc - a_second &&
            jd_utc + 0.5 * exposure_days < window.end_jd_utc + a_second)
            return true;
    }
    return false;
}

/* Those that are after the data, in the order of the times that the data have. */
static int take_times(const struct found_nights *found, const struct site_request *from,
                      const struct setups *setups, const equant_dataset *dataset, double last,
                      struct future_times *times)
{
    bool is_barycentric = strcmp(equant_dataset_time_name(dataset), "BJD") == 0;
    size_t n = equant_nights_n_times(found->nights);
    times->days = malloc((n + 1) * sizeof *times->days);
    times->sky = malloc((n + 1) * sizeof *times->sky);
    times->n_sites = found->from.n;
    if (times->days == NULL || times->sky == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++) {
        equant_sky_conditions sky = {.struct_size = sizeof sky};
        size_t site = 0;
        equant_status status = equant_nights_time(found->nights, i, &site, &sky);
        if (status != EQUANT_SUCCESS)
            return messages_status(status);
        double time = is_barycentric ? sky.bjd_tdb : sky.jd_utc;
        if (time < last ||
            !is_whole(found, site, sky.jd_utc, exposure_at(setups, found->from.n, site)))
            continue;
        times->sky[times->n] = (struct candidate_sky){sky.jd_utc,
                                                      sky.airmass,
                                                      sky.moon_illumination,
                                                      sky.moon_separation_deg,
                                                      from->sites.texts[site],
                                                      site};
        times->days[times->n++] = time;
    }
    if (times->n == 0)
        return messages_failure("there is no time at which the star can be observed: all of them "
                                "are before the last observation, or too short for an exposure");
    return EXIT_CODE_OK;
}

int night_times_find(const char *command, const struct site_request *from,
                     const struct future_request *when, const struct future_usual *usual,
                     const equant_dataset *dataset, const struct setups *setups,
                     struct future_times *times)
{
    const struct night_question question = {.from = from,
                                            .start = when->start,
                                            .end = when->end,
                                            .days = when->days > 0.0      ? when->days
                                                    : from->slots != NULL ? 0.0
                                                                          : usual->length_days,
                                            .after_jd_utc = usual->start_days};
    struct found_nights found = {.nights = NULL};
    *times = (struct future_times){0};
    if (when->file != NULL)
        return messages_usage(command, "--times and --site both say when: give one of them");
    if (!night_times_are_dates(usual->start_days))
        return messages_failure("the times of this run are no Julian dates, and nights have dates: "
                                "sample with whole dates, or give --times");
    int code = found_nights_make(command, &question, &found);
    if (code == EXIT_CODE_OK)
        code = messages_status(
            equant_nights_find_times(found.nights, MINUTES_PER_DAY * when->step_days, 0.0));
    if (code == EXIT_CODE_OK)
        code = take_times(&found, from, setups, dataset, usual->start_days, times);
    found_nights_free(&found);
    return code;
}
