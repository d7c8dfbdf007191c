#include "planning/night_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terminal/messages.h"

#define MINUTES_PER_DAY 1440.0

#define OPTIONS_OF struct night_request
const struct option_row night_request_rows[] = {
    {"site", "NAME", OPTION_LIST(sites),
     "where one can observe: \"La Silla\", or longitude, latitude and\n"
     "height, \"-70.73,-29.26,2400\"; several may be given"},
    {"ra", "A", OPTION_TEXT(ra), "right ascension of the star, 18:02:30.9 or in degrees"},
    {"dec", "A", OPTION_TEXT(dec), "its declination, +26:18:47 or in degrees"},
    {"altitude", "D", OPTION_POSITIVE(altitude_min_deg), "at least, in degrees; default 30"},
    {"airmass", "X", OPTION_POSITIVE(airmass_max), "at most"},
    {"sun", "D", OPTION_NUMBER(sun_altitude_deg), "its altitude at most, in degrees; default -12"},
    {"moon", "D", OPTION_POSITIVE(moon_separation_deg),
     "its distance at least, while it is up, in degrees; default 30"},
    {"slots", "FILE", OPTION_TEXT(slots), "nights or times that may be used, as CSV or ICS"},
    {0}};

int night_request_check(const char *command, const struct night_request *request)
{
    if (request->sites.n > NIGHT_TIMES_MOST_SITES)
        return messages_usage(command, "a plan takes up to %d sites", NIGHT_TIMES_MOST_SITES);
    if (request->sites.n > 0 && (request->ra == NULL || request->dec == NULL))
        return messages_usage(command, "--site needs to know where the star is: --ra and --dec");
    if (request->sites.n == 0 &&
        (request->ra || request->dec || request->slots || request->altitude_min_deg > 0.0 ||
         request->airmass_max > 0.0 || request->moon_separation_deg > 0.0))
        return messages_usage(command, "from where is the star observed? Add --site");
    return EXIT_CODE_OK;
}

bool night_times_are_dates(double time_days)
{
    return time_days > 2400000.5 && time_days < 2500000.5;
}

static int open_nights(const char *command, const struct night_request *request, double start,
                       double end, equant_nights **nights)
{
    equant_site sites[NIGHT_TIMES_MOST_SITES] = {{0}};
    equant_star_position star = {.struct_size = sizeof star};
    equant_slots *slots = NULL;
    equant_status status = equant_star_position_read(request->ra, request->dec, &star);
    for (size_t i = 0; i < request->sites.n && status == EQUANT_SUCCESS; i++) {
        sites[i].struct_size = sizeof sites[i];
        status = equant_site_find(request->sites.texts[i], &sites[i]);
    }
    if (status != EQUANT_SUCCESS)
        return messages_usage(command, "%s", equant_last_error());
    if (request->slots != NULL)
        status = equant_slots_read(request->slots, &slots);
    const equant_observing_limits limits = {.struct_size = sizeof limits,
                                            .sun_altitude_deg = request->sun_altitude_deg,
                                            .altitude_min_deg = request->altitude_min_deg,
                                            .airmass_max = request->airmass_max,
                                            .moon_separation_deg = request->moon_separation_deg,
                                            .slots = slots};
    if (status == EQUANT_SUCCESS)
        status = equant_nights_create(request->sites.n, sites, &star, start, end, &limits, nights);
    equant_slots_free(slots);
    return messages_status(status);
}

/* Those that are after the data, in the order of the times that the data have. */
static int take_times(const equant_nights *nights, const struct night_request *request,
                      const equant_dataset *dataset, double last, struct future_times *times)
{
    bool is_barycentric = strcmp(equant_dataset_time_name(dataset), "BJD") == 0;
    size_t n = equant_nights_n_times(nights);
    times->days = malloc((n + 1) * sizeof *times->days);
    times->sky = malloc((n + 1) * sizeof *times->sky);
    if (times->days == NULL || times->sky == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++) {
        equant_sky_conditions sky = {.struct_size = sizeof sky};
        size_t site = 0;
        equant_status status = equant_nights_time(nights, i, &site, &sky);
        if (status != EQUANT_SUCCESS)
            return messages_status(status);
        double time = is_barycentric ? sky.bjd_tdb : sky.jd_utc;
        if (time < last)
            continue;
        times->sky[times->n] =
            (struct candidate_sky){sky.jd_utc, sky.airmass, sky.moon_illumination,
                                   sky.moon_separation_deg, request->sites.texts[site]};
        times->days[times->n++] = time;
    }
    if (times->n == 0)
        return messages_failure("there is no time at which the star can be observed: %s",
                                equant_nights_trouble(nights)[0] != '\0'
                                    ? equant_nights_trouble(nights)
                                    : "all of them are before the last observation");
    return EXIT_CODE_OK;
}

/* Nights that are over teach nothing, unless somebody asks for them. */
static double usual_start(const struct future_usual *usual)
{
    return fmax(usual->start_days, 2440587.5 + (double)time(NULL) / 86400.0);
}

int night_times_find(const char *command, const struct night_request *request,
                     const struct future_request *when, const struct future_usual *usual,
                     const equant_dataset *dataset, struct future_times *times)
{
    double start = usual_start(usual), end = 0.0;
    equant_nights *nights = NULL;
    int code = EXIT_CODE_OK;
    *times = (struct future_times){0};
    if (when->file != NULL)
        return messages_usage(command, "--times and --site both say when: give one of them");
    if (when->start != NULL)
        code = future_times_read(command, "start", when->start, &start);
    if (code == EXIT_CODE_OK && when->end != NULL)
        code = future_times_read(command, "end", when->end, &end);
    if (code != EXIT_CODE_OK)
        return code;
    if (when->end == NULL)
        end = start + (when->days > 0.0 ? when->days : usual->length_days);
    if (!night_times_are_dates(usual->start_days))
        return messages_failure("the times of this run are no Julian dates, and nights have dates: "
                                "sample with whole dates, or give --times");
    code = open_nights(command, request, start, end, &nights);
    if (code == EXIT_CODE_OK)
        code = messages_status(
            equant_nights_find_times(nights, MINUTES_PER_DAY * when->step_days, 0.0));
    if (code == EXIT_CODE_OK)
        code = take_times(nights, request, dataset, usual->start_days, times);
    equant_nights_free(nights);
    return code;
}
