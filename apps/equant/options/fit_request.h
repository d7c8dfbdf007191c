/* What a person asks of a fit, for one star or for each of many. */
#ifndef EQUANT_APP_OPTIONS_FIT_REQUEST_H
#define EQUANT_APP_OPTIONS_FIT_REQUEST_H

#include <getopt.h>
#include <stdbool.h>

#include "options/data_source.h"
#include "equant.h"
#include "options/instrument_filter.h"
#include "options/search_range.h"

/* What getopt_long returns for its options, beside those of data_source and search_range. */
enum fit_request_option {
    FIT_REQUEST_OPTION_FIRST = 4000,
    FIT_REQUEST_OPTION_PLANETS = FIT_REQUEST_OPTION_FIRST,
    FIT_REQUEST_OPTION_MAX_PLANETS,
    FIT_REQUEST_OPTION_FAP,
    FIT_REQUEST_OPTION_STAR_MASS,
    FIT_REQUEST_OPTION_START,
    FIT_REQUEST_OPTION_FIXED,
    FIT_REQUEST_OPTION_LEAVE_OUT,
    FIT_REQUEST_OPTION_NO_JITTER,
    FIT_REQUEST_OPTION_METHOD,
    FIT_REQUEST_OPTION_END
};

/* Entries for a command's table of long options. */
#define FIT_REQUEST_LONG                                                                           \
    {"planets", required_argument, NULL, FIT_REQUEST_OPTION_PLANETS},                              \
        {"max-planets", required_argument, NULL, FIT_REQUEST_OPTION_MAX_PLANETS},                  \
        {"fap", required_argument, NULL, FIT_REQUEST_OPTION_FAP},                                  \
        {"star-mass", required_argument, NULL, FIT_REQUEST_OPTION_STAR_MASS},                      \
        {"start", required_argument, NULL, FIT_REQUEST_OPTION_START},                              \
        {"fixed", required_argument, NULL, FIT_REQUEST_OPTION_FIXED},                              \
        {"leave-out", required_argument, NULL, FIT_REQUEST_OPTION_LEAVE_OUT},                      \
        {"no-jitter", no_argument, NULL, FIT_REQUEST_OPTION_NO_JITTER},                            \
        {"method", required_argument, NULL, FIT_REQUEST_OPTION_METHOD}, DATA_SOURCE_LONG,          \
        SEARCH_RANGE_LONG

/* The lines of --help that describe its own options. */
extern const char fit_request_help[];

struct fit_request {
    struct data_source source;
    struct search_range range;
    struct instrument_filter leave_out; /* its list is the request's */
    equant_fit_method method;
    int n_planets; /* as in equant_fit_options: 0 auto, -1 none */
    int max_planets;
    double false_alarm_max, star_mass;
    const char *start, *fixed; /* files of planets; NULL: none */
    bool has_no_jitter;
};

struct fit_request fit_request_default(void);
void fit_request_free(struct fit_request *request);

/* True for its options and those of data_source and search_range. */
bool fit_request_owns(int option);

/* Takes one option that getopt_long found; `argument` must outlive the request. Returns
 * EXIT_CODE_OK, or prints a sentence and returns EXIT_CODE_USAGE. */
int fit_request_take(const char *command, int option, char *argument, struct fit_request *request);

/* When all have been taken: whether they make sense together and on this machine. */
int fit_request_check(const char *command, const struct fit_request *request);

/* The options that change a result, in one line: runs with equal lines belong together. */
void fit_request_describe(const struct fit_request *request, char *line, size_t n);

#endif
