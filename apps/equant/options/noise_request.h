/* What a person says of noise beside jitters: of a fit, or of a search. */
#ifndef EQUANT_APP_OPTIONS_NOISE_REQUEST_H
#define EQUANT_APP_OPTIONS_NOISE_REQUEST_H

#include "options/option_table.h"

/* As in equant_fit_options; NULL: the default. */
struct noise_request {
    const char *terms, *indicators;
};

extern const struct option_row noise_request_rows[];

/* Whether the words can be understood; data may still object. */
int noise_request_check(const char *command, const struct noise_request *request);

#endif
