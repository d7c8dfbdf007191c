#include "nights/night_question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platform/system_clock.h"
#include "terminal/messages.h"

#define OPTIONS_OF struct night_question
const struct option_row night_question_rows[] = {
    {"start", "DATE", OPTION_TEXT(start),
     "first night, 2026-06-16, or a time, 2026-06-16T23:30 (UTC)\n"
     "or a Julian date; default: now. Past nights are printed only\n"
     "if this is given"},
    {"end", "DATE", OPTION_TEXT(end), "last night; default: 30 days later, or the last slot"},
    {0}};

static double clock_jd(void)
{
    return 2440587.5 + system_clock_utc_s() / 86400.0;
}

/* When the last slot ends; nights are dates, and end at noon of the day after wherever it is. */
static double end_of_slots(const equant_slots *slots)
{
    double last = -INFINITY;
    for (size_t i = 0; i < equant_slots_n(slots); i++) {
        equant_slot slot = {.struct_size = sizeof slot};
        if (equant_slots_at(slots, i, &slot) == EQUANT_SUCCESS)
            last = fmax(last, slot.is_night ? slot.start_jd_utc + 2.0 : slot.end_jd_utc);
    }
    return last;
}

/* A time that a person gave. A date alone, "2026-06-16", is a night: the one that begins that
 * evening at the first site, from noon on (is_end: until the noon that ends it). */
static int read_time(const char *text, const equant_site *site, bool is_end, double *jd_utc)
{
    const double a_second = 1.0 / 86400.0; /* within the night, however sums are rounded */
    int code = messages_status(equant_utc_read(text, jd_utc));
    bool is_date = strlen(text) == strlen("2026-06-16") && text[4] == '-';
    if (code == EXIT_CODE_OK && is_date)
        *jd_utc += 0.5 - remainder(site->longitude_deg, 360.0) / 360.0 +
                   (is_end ? 1.0 - a_second : a_second);
    return code;
}

static int find_interval(const struct night_question *request, struct found_nights *found)
{
    const double usual_days = request->days > 0.0 ? request->days : 30.0;
    bool by_slots = found->slots != NULL && !(request->days > 0.0);
    int code = EXIT_CODE_OK;
    found->start_jd_utc = fmax(clock_jd(), request->after_jd_utc);
    if (request->start != NULL)
        code = read_time(request->start, &found->from.sites[0], false, &found->start_jd_utc);
    if (code == EXIT_CODE_OK && request->end != NULL)
        code = read_time(request->end, &found->from.sites[0], true, &found->end_jd_utc);
    if (code != EXIT_CODE_OK)
        return code;
    if (request->end == NULL)
        found->end_jd_utc =
            by_slots ? end_of_slots(found->slots) : found->start_jd_utc + usual_days;
    if (found->end_jd_utc > found->start_jd_utc)
        return EXIT_CODE_OK;
    if (request->start == NULL)
        return messages_failure("these nights are past: %s%s; nights that are over are shown "
                                "where --start is given, too",
                                request->end != NULL ? "--end " : "all slots of ",
                                request->end != NULL ? request->end : request->from->slots);
    return messages_failure("these are no nights: the interval begins with --start %s and ends "
                            "before it with %s%s",
                            request->start, request->end != NULL ? "--end " : "the last slot of ",
                            request->end != NULL ? request->end : request->from->slots);
}

static int make_nights(const struct night_question *request, struct found_nights *found)
{
    const equant_observing_limits limits = site_request_limits(request->from, found->slots);
    site_request_tell_limits(request->from, found->limits, sizeof found->limits);
    int code = messages_status(equant_nights_create(found->from.n, found->from.sites, &found->star,
                                                    found->start_jd_utc, found->end_jd_utc, &limits,
                                                    &found->nights));
    if (code != EXIT_CODE_OK)
        return code;
    const char *trouble = equant_nights_trouble(found->nights);
    return trouble[0] != '\0' ? messages_failure("%s", trouble) : EXIT_CODE_OK;
}

int found_nights_make(const char *command, const struct night_question *request,
                      struct found_nights *found)
{
    *found = (struct found_nights){0};
    int code = site_request_find_sites(command, request->from, &found->from);
    if (code == EXIT_CODE_OK)
        code = site_request_find_star(command, request->from, &found->star);
    if (code == EXIT_CODE_OK && request->from->slots != NULL)
        code = messages_status(equant_slots_read(request->from->slots, &found->slots));
    if (code == EXIT_CODE_OK)
        code = find_interval(request, found);
    return code == EXIT_CODE_OK ? make_nights(request, found) : code;
}

void found_nights_free(struct found_nights *found)
{
    equant_nights_free(found->nights);
    equant_slots_free(found->slots);
    *found = (struct found_nights){0};
}

equant_night found_nights_at(const struct found_nights *found, size_t index)
{
    equant_night night = {.struct_size = sizeof night};
    equant_nights_at(found->nights, index, &night);
    return night;
}

equant_window found_nights_window(const struct found_nights *found, size_t index)
{
    equant_window window = {.struct_size = sizeof window};
    equant_nights_window(found->nights, index, &window);
    return window;
}

struct night_clock night_clock_of(double jd_utc)
{
    const double half_minute = 0.5 / 1440.0;
    char text[EQUANT_UTC_TEXT_BYTES];
    struct night_clock clock = {"-"};
    /* to the nearest minute: seconds are cut off */
    if (isfinite(jd_utc) &&
        equant_utc_text(jd_utc + half_minute, text, sizeof text) == EQUANT_SUCCESS)
        snprintf(clock.text, sizeof clock.text, "%.5s", text + 11);
    return clock;
}
