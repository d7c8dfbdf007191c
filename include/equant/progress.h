/* equant/progress.h: progress. How far a long call has come, told to a callback that may cancel
 * it. */
#ifndef EQUANT_PROGRESS_H
#define EQUANT_PROGRESS_H

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called now and then by long calls, on the calling thread: what is being done, how
 * much of it is (0 to 1). A return other than 0 cancels the call. */
typedef int (*equant_progress)(const char *stage, double done, void *context);

#ifdef __cplusplus
}
#endif
#endif
