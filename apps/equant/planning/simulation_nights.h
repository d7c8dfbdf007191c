/* Times at which stars that are made up can be observed: real nights of one site over
 * years, or those of a file. */
#ifndef EQUANT_APP_PLANNING_SIMULATION_NIGHTS_H
#define EQUANT_APP_PLANNING_SIMULATION_NIGHTS_H

#include "equant.h"
#include "options/option_table.h"

struct simulation_nights {
    const char *site, *ra, *dec, *start, *file;
    double step_minutes;
};

extern const struct option_row simulation_nights_rows[];

struct simulation_nights simulation_nights_default(void);

struct simulation_times {
    size_t n;
    double *days; /* [n] */
    char site[64];
};

/* All times of so many days from the start on; free them in any case. Returns an exit code, with a
 * sentence on failure. */
int simulation_nights_find(const char *command, const struct simulation_nights *request,
                           double length_days, struct simulation_times *times);
void simulation_times_free(struct simulation_times *times);

#endif
