/* What a person says of noise beside jitters: of a fit, or of a search. */
#ifndef EQUANT_APP_OPTIONS_NOISE_REQUEST_H
#define EQUANT_APP_OPTIONS_NOISE_REQUEST_H

#include <stdbool.h>

#include "equant.h"
#include "options/option_table.h"

/* As in equant_fit_options; NULL: the default. */
struct noise_request {
    const char *terms, *indicators;
    bool has_kernel; /* the terms are those of --kernel, kept in its words */
    char kernel_words[160];
};

extern const struct option_row noise_request_rows[];

/* "A,P,W,L" of --kernel: amplitude, period, width, life. */
int noise_request_read_kernel(const char *command, const char *argument,
                              equant_quasi_periodic *kernel);

/* Whether the words can be understood; data may still object. */
int noise_request_check(const char *command, struct noise_request *request);

#endif
