/* Times that a prediction or a plan is about: from a file, or from a start to an end. */
#ifndef EQUANT_APP_PLANNING_FUTURE_TIMES_H
#define EQUANT_APP_PLANNING_FUTURE_TIMES_H

#include "options/option_table.h"

struct future_request {
    const char *file, *start, *end;
    double days, step_days; /* 0: as is usual */
};

extern const struct option_row future_request_rows[];

/* What the sky is like at a time, at the site that it is for. */
struct candidate_sky {
    double jd_utc; /* times of data may be barycentric */
    double airmass, moon_illumination, moon_separation_deg;
    const char *site;
    size_t site_number; /* among those that were given, from 0 */
};

struct future_times {
    size_t n;
    double *days;              /* [n], ascending */
    double *costs, *weights;   /* [n]; NULL: a file says none */
    struct candidate_sky *sky; /* [n]; NULL: no site was named */
    size_t n_sites;
};

/* What is usual where nothing is said. */
struct future_usual {
    double start_days, length_days, step_days;
};

/* Reads or makes the times; free them in any case. Returns an exit code, with a sentence on
 * failure. */
int future_times_find(const char *command, const struct future_request *request,
                      const struct future_usual *usual, struct future_times *times);
void future_times_free(struct future_times *times);

/* A time as people write it: a number of days, or a date of UTC. */
int future_times_read(const char *command, const char *option, const char *text, double *days);

#endif
