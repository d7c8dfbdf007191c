/* What a run does after which step. All of it follows from the number of steps, never from the
 * time they took, so that a run makes the same draws however often it was interrupted.
 *
 *   burn-in     in rounds, each as long as all before it; the ladder is adapted after each
 *               and then stays as it is
 *   sampling    every thin-th step is kept; when capacity is reached every other one is
 *               dropped and thin doubles
 *   checks      whenever the window of kept steps has grown by a quarter. Where populations
 *               still disagree though the window is twice as long as all before it, its
 *               first half is taken for burn-in that went on, and dropped */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_RUN_SCHEDULE_H
#define EQUANT_INFERENCE_SAMPLE_RUN_RUN_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct run_schedule {
    uint64_t n_burn_in, thinning, capacity; /* what was asked for                       */
    uint64_t window_start;                  /* the last step before the first kept one  */
    uint64_t thin, next_check;              /* steps                                    */
} run_schedule;

/* The capacity is in kept steps; an odd one is made even. */
run_schedule run_schedule_begin(uint64_t n_burn_in, uint64_t thinning, size_t capacity);

/* Whether this step of the burn-in is the last one of a round, or of all. */
bool run_schedule_ends_round(const run_schedule *schedule, uint64_t step);
bool run_schedule_ends_burn_in(const run_schedule *schedule, uint64_t step);

/* Whether this step is to be kept. */
bool run_schedule_keeps(const run_schedule *schedule, uint64_t step);

/* Says that every other kept step was dropped. */
void run_schedule_halve(run_schedule *schedule);

/* Whether it is time for a check; if so the next one is set. */
bool run_schedule_checks(run_schedule *schedule, uint64_t step);

/* Whether populations that disagree at this step call for a later window. */
bool run_schedule_wants_later_window(const run_schedule *schedule, uint64_t step);

#endif
