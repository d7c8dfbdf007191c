/* What a person says of noise beside jitters: of a fit, or of a search. */
#ifndef EQUANT_APP_OPTIONS_NOISE_REQUEST_H
#define EQUANT_APP_OPTIONS_NOISE_REQUEST_H

#include "equant.h"
#include "options/option_table.h"

/* As in equant_fit_options; NULL: the default. */
struct noise_request {
    const char *terms, *indicators, *outliers;
    int as_series; /* 1: indicators are series of one process */
};

extern const struct option_row noise_request_rows[];

/* The indicators that velocities follow, as fits take them. */
const char *noise_request_indicators(const struct noise_request *request);

/* Where indicators are series and velocities alone are known: learns their process and puts data
 * that have it in the place of *dataset. `text` says what was learnt, "" where nothing was asked
 * for. */
enum { NOISE_REQUEST_TEXT_SIZE = 160 };
int noise_request_learn(const struct noise_request *request, equant_dataset **dataset,
                        char text[NOISE_REQUEST_TEXT_SIZE]);

/* Whether the words can be understood; data may still object. */
int noise_request_check(const char *command, struct noise_request *request);

#endif
