/* The targets that programs of XLA may call, by number. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_XLA_TARGET_LIST_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_XLA_TARGET_LIST_H

#include "equant.h"
#include "platform/system_threads.h"

typedef struct xla_target {
    equant_target *target;
    int64_t number;
    pthread_mutex_t turn; /* a target takes one call at a time */
    struct xla_target *next;
} xla_target;

/* The target of a number, for the calling thread alone until it is released; NULL, and nothing to
 * release, where there is none. */
xla_target *xla_target_acquire(int64_t number);
void xla_target_release(xla_target *entered);

#endif
