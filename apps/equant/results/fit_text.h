/* A fit for a person at a terminal. */
#ifndef EQUANT_APP_RESULTS_FIT_TEXT_H
#define EQUANT_APP_RESULTS_FIT_TEXT_H

#include "stars/star_result.h"

/* Returns an exit code, with a sentence on failure. */
int fit_text_print(const struct star_result *star);

#endif
