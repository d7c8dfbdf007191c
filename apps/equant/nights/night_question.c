#include "nights/night_question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "terminal/messages.h"
#include "terminal/text_line.h"

#define OPTIONS_OF struct night_question
const struct option_row night_question_rows[] = {
    {"site", "NAME", OPTION_LIST(sites),
     "a site or an instrument by name ('La Palma', HARPS-N), or\n"
     "LONGITUDE,LATITUDE,HEIGHT in degrees east and north, metres;\n"
     "may be given repeatedly"},
    {"ra", "A, --dec D", OPTION_TEXT(ra),
     "of the star (ICRS): 18:02:30.9 or 270.629, and +26:18:46.8\n"
     "or 26.313"},
    {"dec", "D", OPTION_TEXT(dec), NULL},
    {"pm-ra", "MAS, --pm-dec MAS", OPTION_NUMBER(pm_ra_mas_per_yr),
     "its proper motion a year since 2000; default 0"},
    {"pm-dec", "MAS", OPTION_NUMBER(pm_dec_mas_per_yr), NULL},
    {"start", "DATE", OPTION_TEXT(start),
     "the first night, 2026-06-16, or a time, 2026-06-16T23:30 (UTC)\n"
     "or a Julian date; default now: nights that are over are shown\n"
     "only where it is given"},
    {"end", "DATE", OPTION_TEXT(end),
     "the last night; default 30 days later, or that of the slots"},
    {"slots", "FILE", OPTION_TEXT(slots),
     "nights or times that may be used: CSV, or an ICS calendar"},
    {0}};

const struct option_row night_question_limit_rows[] = {
    {"sun", "DEG", OPTION_NUMBER(sun_deg),
     "the sun is below this; default -12; above 0: by day, too"},
    {"altitude", "DEG", OPTION_NUMBER(altitude_deg),
     "the star is above this; default 30, or none with --airmass"},
    {"airmass", "X", OPTION_POSITIVE(airmass), "its airmass is at most this"},
    {"moon", "DEG", OPTION_NUMBER(moon_deg),
     "the moon is at least so far from it while it is up; default\n"
     "30"},
    {"moon-lit", "X", OPTION_NUMBER(moon_lit),
     "at most this part of the moon is lit while it is up, 0 to 1"},
    {"window", "MINUTES", OPTION_POSITIVE(window_minutes), "shorter times do not count"},
    {0}};

struct night_question night_question_default(void)
{
    return (struct night_question){.sun_deg = NAN,
                                   .altitude_deg = NAN,
                                   .airmass = NAN,
                                   .moon_deg = NAN,
                                   .moon_lit = NAN,
                                   .window_minutes = NAN};
}

void night_question_free(struct night_question *request)
{
    text_list_free(&request->sites);
}

/* The library takes 0 for what was not given. Who gives 0 means it, and gets what is next to it. */
static double limit_of(double given, double beside_zero)
{
    return isnan(given) ? 0.0 : given == 0.0 ? beside_zero : given;
}

static int find_sites(const char *command, const struct night_question *request,
                      struct found_nights *found)
{
    if (request->sites.n == 0)
        return messages_usage(command, "from where? --site is missing");
    if (request->sites.n > NIGHT_SITES_MOST)
        return messages_usage(command, "%zu sites are too many; at most %d", request->sites.n,
                              (int)NIGHT_SITES_MOST);
    for (size_t i = 0; i < request->sites.n; i++) {
        equant_site *site = &found->sites[i];
        site->struct_size = sizeof *site;
        int code = messages_status(equant_site_find(request->sites.texts[i], site));
        if (code != EXIT_CODE_OK)
            return code;
        if (site->name[0] != '\0')
            snprintf(found->names[i], sizeof found->names[i], "%s", site->name);
        else
            snprintf(found->names[i], sizeof found->names[i], "%.3f,%.3f", site->longitude_deg,
                     site->latitude_deg);
        found->n_sites++;
    }
    return EXIT_CODE_OK;
}

static int find_star(const char *command, const struct night_question *request,
                     struct found_nights *found)
{
    if (request->ra == NULL || request->dec == NULL)
        return messages_usage(command, "which star? --%s is missing",
                              request->ra == NULL ? "ra" : "dec");
    found->star = (equant_star_position){.struct_size = sizeof found->star,
                                         .pm_ra_mas_per_yr = request->pm_ra_mas_per_yr,
                                         .pm_dec_mas_per_yr = request->pm_dec_mas_per_yr};
    return messages_status(equant_star_position_read(request->ra, request->dec, &found->star));
}

static double clock_jd(void)
{
    return 2440587.5 + (double)time(NULL) / 86400.0;
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
    const double usual_days = 30.0;
    int code = EXIT_CODE_OK;
    found->start_jd_utc = clock_jd();
    if (request->start != NULL)
        code = read_time(request->start, &found->sites[0], false, &found->start_jd_utc);
    if (code == EXIT_CODE_OK && request->end != NULL)
        code = read_time(request->end, &found->sites[0], true, &found->end_jd_utc);
    if (code != EXIT_CODE_OK)
        return code;
    if (request->end == NULL)
        found->end_jd_utc =
            found->slots != NULL ? end_of_slots(found->slots) : found->start_jd_utc + usual_days;
    if (found->end_jd_utc > found->start_jd_utc)
        return EXIT_CODE_OK;
    if (request->start == NULL)
        return messages_failure("these nights are past: %s%s; nights that are over are shown "
                                "where --start is given, too",
                                request->end != NULL ? "--end " : "all slots of ",
                                request->end != NULL ? request->end : request->slots);
    return messages_failure("these are no nights: the interval begins with --start %s and ends "
                            "before it with %s%s",
                            request->start, request->end != NULL ? "--end " : "the last slot of ",
                            request->end != NULL ? request->end : request->slots);
}

static void tell_limits(const struct night_question *request, struct found_nights *found)
{
    char *words = found->limits;
    const size_t n = sizeof found->limits;
    double sun = isnan(request->sun_deg) ? -12.0 : request->sun_deg;
    double moon = isnan(request->moon_deg) ? 30.0 : request->moon_deg;
    words[0] = '\0';
    if (sun <= 0.0)
        text_line_append(words, n, "sun below %g°", sun);
    else
        text_line_append(words, n, "by day, too");
    if (!isnan(request->altitude_deg) || isnan(request->airmass))
        text_line_append(words, n, ", star above %g°",
                         isnan(request->altitude_deg) ? 30.0 : request->altitude_deg);
    if (!isnan(request->airmass))
        text_line_append(words, n, ", airmass up to %g", request->airmass);
    if (moon > 0.0)
        text_line_append(words, n, ", moon %g° away", moon);
    if (!isnan(request->moon_lit))
        text_line_append(words, n, ", moon at most %.0f %% lit", 100.0 * request->moon_lit);
    if (!isnan(request->window_minutes))
        text_line_append(words, n, ", %g minutes or more", request->window_minutes);
}

static int make_nights(const struct night_question *request, struct found_nights *found)
{
    const double barely = 1e-9;
    const equant_observing_limits limits = {
        .struct_size = sizeof limits,
        .sun_altitude_deg = limit_of(request->sun_deg, -barely),
        .altitude_min_deg = limit_of(request->altitude_deg, barely),
        .airmass_max = limit_of(request->airmass, 0.0),
        .moon_separation_deg = limit_of(request->moon_deg, -1.0),
        .moon_illumination_max = limit_of(request->moon_lit, barely),
        .window_min_minutes = limit_of(request->window_minutes, 0.0),
        .slots = found->slots};
    tell_limits(request, found);
    int code = messages_status(equant_nights_create(found->n_sites, found->sites, &found->star,
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
    int code = find_sites(command, request, found);
    if (code == EXIT_CODE_OK)
        code = find_star(command, request, found);
    if (code == EXIT_CODE_OK && request->slots != NULL)
        code = messages_status(equant_slots_read(request->slots, &found->slots));
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
