/* equant/progress.h: progress. How far a long call has come, told to a callback that may cancel
 * it. */
#ifndef EQUANT_PROGRESS_H
#define EQUANT_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far a call has come. The figures of sampling are NaN, and step is 0, while nothing is
 * sampled or nobody knows them yet. Of a fit, whose stages begin anew for each planet, call_done
 * and seconds_left are estimates of the whole. */
typedef struct equant_progress_report {
    size_t struct_size;
    const char *stage;         /* what is being done: "burn-in", "sampling", ...        */
    double done;               /* of the stage, 0 to 1; of sampling it is an estimate   */
    uint64_t step;             /* of the sampler                                        */
    double steps_per_s;        /* of late                                               */
    double acceptance;         /* share of proposals accepted                           */
    double rhat;               /* the worst of all parameters, when last looked at      */
    double ess_bulk, ess_tail; /* the smallest of all parameters                        */
    double seconds_left;       /* until the goals are met or the budget is spent      */
    double call_done;          /* of the whole call, 0 to 1; NaN: nobody knows        */
} equant_progress_report;

/* Called now and then by long calls, on the calling thread; the report is valid during the call.
 * A return other than 0 cancels, of equant_sample after a last checkpoint, and the call answers
 * EQUANT_ERROR_CANCELLED. */
typedef int (*equant_progress)(const equant_progress_report *report, void *context);

#ifdef __cplusplus
}
#endif
#endif
