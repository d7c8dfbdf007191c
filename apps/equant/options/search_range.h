/* Which orbits are looked for, and on what computer: the options that search and fit
 * share. */
#ifndef EQUANT_APP_OPTIONS_SEARCH_RANGE_H
#define EQUANT_APP_OPTIONS_SEARCH_RANGE_H

#include <getopt.h>
#include <stdbool.h>

#include "options/engine_options.h"
#include "equant.h"

/* What getopt_long returns for them: above any character and the other shared ones. */
enum search_range_option {
    SEARCH_RANGE_OPTION_FIRST = 3000,
    SEARCH_RANGE_OPTION_PERIOD = SEARCH_RANGE_OPTION_FIRST,
    SEARCH_RANGE_OPTION_PERIOD_MIN,
    SEARCH_RANGE_OPTION_PERIOD_MAX,
    SEARCH_RANGE_OPTION_ECCENTRICITY,
    SEARCH_RANGE_OPTION_TREND,
    SEARCH_RANGE_OPTION_SEED,
    SEARCH_RANGE_OPTION_END
};

/* Entries for a command's table of long options. Of the engine's options those that a
 * scan heeds. */
#define SEARCH_RANGE_LONG                                                                          \
    {"period", required_argument, NULL, SEARCH_RANGE_OPTION_PERIOD},                               \
        {"period-min", required_argument, NULL, SEARCH_RANGE_OPTION_PERIOD_MIN},                   \
        {"period-max", required_argument, NULL, SEARCH_RANGE_OPTION_PERIOD_MAX},                   \
        {"max-eccentricity", required_argument, NULL, SEARCH_RANGE_OPTION_ECCENTRICITY},           \
        {"trend", required_argument, NULL, SEARCH_RANGE_OPTION_TREND},                             \
        {"seed", required_argument, NULL, SEARCH_RANGE_OPTION_SEED},                               \
        {"precision", required_argument, NULL, ENGINE_OPTION_PRECISION},                           \
        {"backend", required_argument, NULL, ENGINE_OPTION_BACKEND},                               \
    {                                                                                              \
        "threads", required_argument, NULL, ENGINE_OPTION_THREADS                                  \
    }

/* The lines of --help that describe them. */
extern const char search_range_help[], search_range_engine_help[];

struct search_range {
    double period_min_days, period_max_days, eccentricity_max; /* 0: the library's default */
    equant_trend trend;
    uint64_t seed;
    equant_engine_options engine;
    bool has_precision; /* --precision was given */
};

struct search_range search_range_default(void);

/* True for the options above. */
bool search_range_owns(int option);

/* Takes one option that getopt_long found; `argument` must outlive the range. Returns
 * EXIT_CODE_OK, or prints a sentence and returns EXIT_CODE_USAGE. */
int search_range_take(const char *command, int option, const char *argument,
                      struct search_range *range);

/* When all have been taken: whether they make sense together and on this machine. */
int search_range_check(const char *command, const struct search_range *range);

const char *search_range_trend_name(equant_trend trend);

#endif
