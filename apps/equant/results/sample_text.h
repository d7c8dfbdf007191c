/* A posterior on the terminal. */
#ifndef EQUANT_APP_RESULTS_SAMPLE_TEXT_H
#define EQUANT_APP_RESULTS_SAMPLE_TEXT_H

#include "posteriors/posterior_view.h"

/* Returns an exit code, with a sentence on failure. */
int sample_text_print(const struct posterior_view *posterior);

#endif
