/* A posterior on the terminal. */
#ifndef EQUANT_APP_RESULTS_SAMPLE_TEXT_H
#define EQUANT_APP_RESULTS_SAMPLE_TEXT_H

#include "equant.h"

/* Returns an exit code, with a sentence on failure. */
int sample_text_print(const equant_posterior *posterior);

/* Names a quantity the way people do, without its planet or instrument: "K m/s"; angles are
 * then in degrees. */
const char *sample_text_label(const equant_quantity *quantity);

#endif
