/* A long call of the library under the eyes of a person: a progress bar that names the
 * stage, and Ctrl-C. */
#ifndef EQUANT_APP_TERMINAL_WATCHED_CALL_H
#define EQUANT_APP_TERMINAL_WATCHED_CALL_H

#include "equant.h"
#include "terminal/progress_display.h"

struct watched_call {
    struct progress progress;
    const char *label;         /* put before the stage, e.g. a star's name; "": nothing */
    char stage[96];            /* that the library has told last                        */
    double done, seconds_left; /* of the whole call, as it has told them last; NaN: not yet */
};

/* `label` must outlive the call. */
struct watched_call watched_call_start(const char *label);

/* The equant_progress of a struct watched_call, its context. */
int watched_call_progress(const equant_progress_report *now, void *call);

/* Takes the bar away. Returns the exit code for the library's answer, with a sentence
 * when that is not success; but an interrupted call with a label is one of many, and their
 * caller says so. */
int watched_call_end(struct watched_call *call, equant_status status);

#endif
