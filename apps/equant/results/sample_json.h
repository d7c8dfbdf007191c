/* A posterior as JSON. */
#ifndef EQUANT_APP_RESULTS_SAMPLE_JSON_H
#define EQUANT_APP_RESULTS_SAMPLE_JSON_H

#include <stdio.h>

#include "posteriors/posterior_view.h"

/* Returns an exit code, with a sentence on failure. */
int sample_json_write(FILE *stream, const struct posterior_view *posterior);

#endif
