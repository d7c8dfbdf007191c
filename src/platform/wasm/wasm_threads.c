#include "platform/system_threads.h"

#include <sched.h>
#include <time.h>

int system_threads_processors(void)
{
    return 1;
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
    return pthread_create(thread, NULL, work, context) == 0;
}

void system_threads_at_fork(void (*forget)(void))
{
    (void)forget; /* nothing forks */
}
