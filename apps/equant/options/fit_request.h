/* What a person asks of a fit, for one star or for each of many. */
#ifndef EQUANT_APP_OPTIONS_FIT_REQUEST_H
#define EQUANT_APP_OPTIONS_FIT_REQUEST_H

#include <stdbool.h>

#include "options/data_source.h"
#include "equant.h"
#include "options/noise_request.h"
#include "options/search_range.h"
#include "options/states_request.h"

struct fit_request {
    struct data_source source;
    struct search_range range;
    equant_fit_method method;
    int n_planets; /* as in equant_fit_options: 0 auto, -1 none */
    int max_planets;
    double false_alarm_max, probability_min, threshold, budget_s;
    bool keeps_partial; /* what was found before Ctrl-C is a result */
    equant_star star;
    const char *start, *fixed; /* files of planets; NULL: none */
    const char *basis;         /* of the final optimisation; NULL: as the fit likes */
    bool has_no_jitter, has_no_probabilities;
    struct noise_request noise;
    struct states_request states;
};

/* Those that are not of its source, its range and its noise. */
extern const struct option_row fit_request_rows[];

struct fit_request fit_request_default(void);
void fit_request_free(struct fit_request *request);

/* When all have been taken: whether they make sense together and on this machine. */
int fit_request_check(const char *command, struct fit_request *request);

/* The options that change a result, in one line: runs with equal lines belong together. */
void fit_request_describe(const struct fit_request *request, char *line, size_t n);

#endif
