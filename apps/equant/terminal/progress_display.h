/* One line on standard error that says how far a long command has come. It
 * appears only on a terminal and only after two seconds, and leaves no trace. */
#ifndef EQUANT_APP_TERMINAL_PROGRESS_DISPLAY_H
#define EQUANT_APP_TERMINAL_PROGRESS_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    const char *unit; /* what is counted, e.g. "orbits" */
    bool enabled;     /* standard error is a terminal   */
    bool visible;     /* the line is on the screen      */
    double start_s, last_s;
};

/* Seconds of a clock that only ever moves forward. */
double progress_clock_s(void);

/* From here on no line appears: for a process whose work another one shows. */
void progress_silence(void);

/* Starts the clock. `unit` must outlive the progress. */
struct progress progress_start(const char *unit);

/* Says that `done` units are finished, and which fraction of the whole that is
 * (0 to 1; negative when nobody knows). Cheap enough to call for every batch. */
void progress_update(struct progress *progress, double done, double fraction);

/* The same for work that goes through stages: says which one it is in and, where that is known, how
 * long all that is to come will take about; NaN: says how long it took so far, as nobody knows how
 * many stages there are. */
void progress_stage(struct progress *progress, const char *stage, double fraction,
                    double seconds_left);

/* A line of the caller's own. None is wider than the terminal. */
void progress_text(struct progress *progress, const char *text);

/* "38 s left", "2 min 05 s left", "3.1 h left". */
void progress_write_time_left(char *text, size_t n, double seconds);

/* Takes the line away. Call it before printing anything else to the terminal. */
void progress_clear(struct progress *progress);

#endif
