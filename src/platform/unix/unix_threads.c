#define _GNU_SOURCE /* CPU_COUNT */
#include "platform/system_threads.h"

#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

int system_threads_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 1 ? (int)n : 1;
}

void system_threads_yield(void)
{
    sched_yield();
}

void system_threads_wait(pthread_cond_t *news, pthread_mutex_t *lock, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * seconds);
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(news, lock, &until);
}

bool system_threads_start(pthread_t *thread, void *(*work)(void *), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool has_started = pthread_create(thread, NULL, work, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_started;
}

void system_threads_at_fork(void (*forget)(void))
{
    pthread_atfork(NULL, NULL, forget);
}
