/* The live line of a run of the sampler. */
#ifndef EQUANT_APP_TERMINAL_SAMPLE_PROGRESS_H
#define EQUANT_APP_TERMINAL_SAMPLE_PROGRESS_H

#include "equant.h"
#include "terminal/progress_display.h"

struct sample_progress {
    struct progress progress;
    uint64_t step; /* the last that the library has told */
};

struct sample_progress sample_progress_start(void);

/* The equant_progress of a struct sample_progress, its context; Ctrl-C cancels. */
int sample_progress_show(const equant_progress_report *now, void *line);

#endif
