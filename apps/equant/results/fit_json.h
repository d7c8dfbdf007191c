/* A fit for programs: one JSON object, on standard output or as fit.json. */
#ifndef EQUANT_APP_RESULTS_FIT_JSON_H
#define EQUANT_APP_RESULTS_FIT_JSON_H

#include <stdio.h>

#include "stars/star_result.h"

void fit_json_write(FILE *stream, const struct star_result *star);

#endif
