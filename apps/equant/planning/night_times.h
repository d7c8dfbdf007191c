/* Times at which a star can be observed from one or several sites, as candidates of a plan. */
#ifndef EQUANT_APP_PLANNING_NIGHT_TIMES_H
#define EQUANT_APP_PLANNING_NIGHT_TIMES_H

#include "equant.h"
#include "planning/future_times.h"

enum { NIGHT_TIMES_MOST_SITES = 16 };

struct night_request {
    struct text_list sites;
    const char *ra, *dec, *slots;
    double altitude_min_deg, airmass_max, sun_altitude_deg, moon_separation_deg; /* 0: usual */
};

extern const struct option_row night_request_rows[];

/* Whether a site is named; a star without one, or the other way round, is refused. Returns an exit
 * code, with a sentence on failure. */
int night_request_check(const char *command, const struct night_request *request);

/* Whether days are Julian dates, so that they have dates in a calendar. */
bool night_times_are_dates(double time_days);

/* Candidates between the start and the end of the request, every step. Barycentric where the data
 * are. Without a start they begin now, or after the data where these are not over. Returns an exit
 * code, with a sentence on failure. */
int night_times_find(const char *command, const struct night_request *request,
                     const struct future_request *when, const struct future_usual *usual,
                     const equant_dataset *dataset, struct future_times *times);

#endif
