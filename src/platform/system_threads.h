/* POSIX threads: every system has them that equant is built for, Windows by winpthreads, and
 * WebAssembly as functions that start none. */
#ifndef EQUANT_PLATFORM_SYSTEM_THREADS_H
#define EQUANT_PLATFORM_SYSTEM_THREADS_H

#include <pthread.h>
#include <stdbool.h>

/* Processors that this process may use. */
int system_threads_processors(void);

/* Lets other threads run. */
void system_threads_yield(void);

/* Waits for news, at most so long; whoever was woken asks again. */
void system_threads_wait(pthread_cond_t *news, pthread_mutex_t *lock, double seconds);

/* A thread that is not asked to handle signals: they are for those of the caller. */
bool system_threads_start(pthread_t *thread, void *(*work)(void *), void *context);

/* Called in a process that was forked, which has only the thread that forked. */
void system_threads_at_fork(void (*forget)(void));

#endif
