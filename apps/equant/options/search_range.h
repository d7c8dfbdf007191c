/* Which orbits are looked for, and on what computer: the options that search and fit
 * share. */
#ifndef EQUANT_APP_OPTIONS_SEARCH_RANGE_H
#define EQUANT_APP_OPTIONS_SEARCH_RANGE_H

#include <stdbool.h>

#include "equant.h"
#include "options/engine_options.h"

struct search_range {
    double period_min_days, period_max_days, eccentricity_max; /* 0: the library's default */
    equant_trend trend;
    uint64_t seed;
    equant_engine_options engine;
    bool has_precision; /* --precision was given */
};

/* What is looked for; and of the engine's options those that a scan heeds. */
extern const struct option_row search_range_rows[], search_range_engine_rows[];

struct search_range search_range_default(void);

/* When all have been taken: whether they make sense together and on this machine. */
int search_range_check(const char *command, const struct search_range *range);

const char *search_range_trend_name(equant_trend trend);

#endif
