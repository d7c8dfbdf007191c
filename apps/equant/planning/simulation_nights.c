#include "planning/simulation_nights.h"

#include <stdio.h>
#include <stdlib.h>

#include "inputs/observation_times.h"
#include "terminal/messages.h"

#define OPTIONS_OF struct simulation_nights
const struct option_row simulation_nights_rows[] = {
    {"site", "NAME", OPTION_TEXT(site), "observing site; default: La Palma"},
    {"ra", "A", OPTION_TEXT(ra), "right ascension of the stars; default: 18:02:30.9"},
    {"dec", "A", OPTION_TEXT(dec), "declination; default: 26:18:47"},
    {"start", "DATE", OPTION_TEXT(start), "first night; default: 2026-01-01"},
    {"step", "M", OPTION_POSITIVE(step_minutes),
     "minutes between the times of a night; default: 90"},
    {"times", "FILE", OPTION_FILE(file), "file with times in its first column, instead of nights"},
    {0}};

struct simulation_nights simulation_nights_default(void)
{
    return (struct simulation_nights){.site = "La Palma",
                                      .ra = "18:02:30.9",
                                      .dec = "26:18:47",
                                      .start = "2026-01-01",
                                      .step_minutes = 90.0};
}

static int take_times(const equant_nights *nights, struct simulation_times *times)
{
    size_t n = equant_nights_n_times(nights);
    times->days = malloc((n + 1) * sizeof *times->days);
    if (times->days == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++) {
        equant_sky_conditions sky = {.struct_size = sizeof sky};
        equant_nights_time(nights, i, NULL, &sky); /* the index is in range */
        times->days[times->n++] = sky.bjd_tdb;
    }
    return n > 0 ? EXIT_CODE_OK
                 : messages_failure("there is no time at which the stars can be observed: %s",
                                    equant_nights_trouble(nights));
}

/* Those of a file. */
static int read_times(const char *file, struct simulation_times *times)
{
    struct observation_times read = {.n = 0};
    int code = observation_times_read(&read, file);
    times->days = read.days;
    times->n = read.n;
    snprintf(times->site, sizeof times->site, "%s", file);
    return code;
}

int simulation_nights_find(const char *command, const struct simulation_nights *request,
                           double length_days, struct simulation_times *times)
{
    equant_site site = {.struct_size = sizeof site};
    equant_star_position star = {.struct_size = sizeof star};
    equant_nights *nights = NULL;
    double start = 0.0;
    *times = (struct simulation_times){.n = 0};
    if (request->file != NULL)
        return read_times(request->file, times);
    equant_status status = equant_star_position_read(request->ra, request->dec, &star);
    if (status == EQUANT_SUCCESS)
        status = equant_site_find(request->site, &site);
    if (status == EQUANT_SUCCESS)
        status = equant_utc_read(request->start, &start);
    if (status != EQUANT_SUCCESS)
        return messages_usage(command, "%s", equant_last_error());
    snprintf(times->site, sizeof times->site, "%s",
             site.name != NULL && site.name[0] != '\0' ? site.name : request->site);
    status = equant_nights_create(1, &site, &star, start, start + length_days, NULL, &nights);
    if (status == EQUANT_SUCCESS)
        status = equant_nights_find_times(nights, request->step_minutes, 0.0);
    int code = status == EQUANT_SUCCESS ? take_times(nights, times) : messages_status(status);
    equant_nights_free(nights);
    return code;
}

void simulation_times_free(struct simulation_times *times)
{
    free(times->days);
    times->days = NULL;
}
