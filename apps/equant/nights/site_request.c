#include "nights/site_request.h"

#include <math.h>
#include <stdio.h>

#include "terminal/messages.h"
#include "terminal/text_line.h"

#define OPTIONS_OF struct site_request
const struct option_row site_request_rows[] = {
    {"site", "NAME", OPTION_LIST(sites),
     "site or instrument by name ('La Palma', HARPS-N), or\n"
     "LONGITUDE,LATITUDE,HEIGHT in degrees east, degrees north and\n"
     "metres; may be repeated"},
    {"ra", "A, --dec D", OPTION_TEXT(ra),
     "coordinates of the star (ICRS): 18:02:30.9 or 270.629,\n"
     "and +26:18:46.8 or 26.313"},
    {"dec", "D", OPTION_TEXT(dec), NULL},
    {"pm-ra", "MAS, --pm-dec MAS", OPTION_NUMBER(pm_ra_mas_per_yr),
     "proper motion per year, since 2000; default: 0"},
    {"pm-dec", "MAS", OPTION_NUMBER(pm_dec_mas_per_yr), NULL},
    {"slots", "FILE", OPTION_FILE(slots), "available nights or times: CSV, or an ICS calendar"},
    {0}};

const struct option_row site_request_limit_rows[] = {
    {"sun", "DEG", OPTION_NUMBER(sun_deg),
     "highest altitude of the sun; default: -12; above 0: also by\n"
     "day"},
    {"altitude", "DEG", OPTION_NUMBER(altitude_deg),
     "lowest altitude of the star; default: 30, none with\n"
     "--airmass"},
    {"airmass", "X", OPTION_POSITIVE(airmass), "highest airmass of the star"},
    {"moon", "DEG", OPTION_NUMBER(moon_deg),
     "least distance from the moon while it is up; default: 30"},
    {"moon-lit", "X", OPTION_NUMBER(moon_lit),
     "largest illuminated fraction of the moon while it is up, 0\n"
     "to 1"},
    {"window", "MINUTES", OPTION_POSITIVE(window_minutes), "shortest useful interval"},
    {0}};

struct site_request site_request_default(void)
{
    return (struct site_request){.sun_deg = NAN,
                                 .altitude_deg = NAN,
                                 .airmass = NAN,
                                 .moon_deg = NAN,
                                 .moon_lit = NAN,
                                 .window_minutes = NAN};
}

void site_request_free(struct site_request *request)
{
    text_list_free(&request->sites);
}

bool site_request_is_given(const struct site_request *request)
{
    return request->sites.n > 0 || request->ra != NULL || request->dec != NULL ||
           request->slots != NULL || request->pm_ra_mas_per_yr != 0.0 ||
           request->pm_dec_mas_per_yr != 0.0 || !isnan(request->sun_deg) ||
           !isnan(request->altitude_deg) || !isnan(request->airmass) || !isnan(request->moon_deg) ||
           !isnan(request->moon_lit) || !isnan(request->window_minutes);
}

int site_request_find_sites(const char *command, const struct site_request *request,
                            struct found_sites *found)
{
    found->n = 0;
    if (request->sites.n == 0)
        return messages_usage(command, "from where? --site is missing");
    if (request->sites.n > SITE_REQUEST_MOST_SITES)
        return messages_usage(command, "%zu sites are too many; at most %d", request->sites.n,
                              (int)SITE_REQUEST_MOST_SITES);
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
        found->n++;
    }
    return EXIT_CODE_OK;
}

int site_request_find_star(const char *command, const struct site_request *request,
                           equant_star_position *star)
{
    if (request->ra == NULL || request->dec == NULL)
        return messages_usage(command, "which star? --%s is missing",
                              request->ra == NULL ? "ra" : "dec");
    *star = (equant_star_position){.struct_size = sizeof *star,
                                   .pm_ra_mas_per_yr = request->pm_ra_mas_per_yr,
                                   .pm_dec_mas_per_yr = request->pm_dec_mas_per_yr};
    return messages_status(equant_star_position_read(request->ra, request->dec, star));
}

/* The library takes 0 for what was not given. Who gives 0 means it, and gets what is next to it. */
static double limit_of(double given, double beside_zero)
{
    return isnan(given) ? 0.0 : given == 0.0 ? beside_zero : given;
}

equant_observing_limits site_request_limits(const struct site_request *request,
                                            const equant_slots *slots)
{
    const double barely = 1e-9;
    return (equant_observing_limits){.struct_size = sizeof(equant_observing_limits),
                                     .sun_altitude_deg = limit_of(request->sun_deg, -barely),
                                     .altitude_min_deg = limit_of(request->altitude_deg, barely),
                                     .airmass_max = limit_of(request->airmass, 0.0),
                                     .moon_separation_deg = limit_of(request->moon_deg, -1.0),
                                     .moon_illumination_max = limit_of(request->moon_lit, barely),
                                     .window_min_minutes = limit_of(request->window_minutes, 0.0),
                                     .slots = slots};
}

void site_request_tell_limits(const struct site_request *request, char *words, size_t n)
{
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
