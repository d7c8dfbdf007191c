/* Loops of independent steps, shared among threads. Which thread does a step is left to chance, so
 * no result may depend on it: steps write to places of their own, or add with atomics what has no
 * order. A loop within a step of another runs on the thread of that step alone. */
#ifndef EQUANT_PARALLEL_PARALLEL_FOR_H
#define EQUANT_PARALLEL_PARALLEL_FOR_H

#include <stddef.h>
#ifndef __cplusplus
#include <stdatomic.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Does steps first to end - 1. thread: 0 (the caller) to n_threads - 1; no two ranges have the same
 * one at the same time. */
typedef void parallel_steps(void *context, size_t first, size_t end, int thread);

/* Does steps 0 to n - 1 by up to n_threads threads, `at_once` at a time; 0: equal shares. */
void parallel_for(int n_threads, size_t n, size_t at_once, parallel_steps *steps, void *context);

#ifndef __cplusplus
/* For failures of steps: the largest number stays, whichever comes first. */
void parallel_keep_larger(atomic_int *largest, int number);
#endif

/* Of the steps that run on this thread; 0 outside of loops. */
int parallel_thread(void);

/* Processors that this process may use. */
int parallel_processors(void);

#ifdef __cplusplus
}
#endif

#endif
