#include "core/thread_supply.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* Waits until all have been started: one after the other they would prove nothing. */
static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Starts up to n threads and ends them; *n_started of them came. The answer is pthread_create's. */
static int start_and_end(pthread_t *threads, int n, int *n_started)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int refusal = 0;
    *n_started = 0;
    pthread_mutex_lock(&gate);
    while (*n_started < n && refusal == 0) {
        refusal = pthread_create(&threads[*n_started], NULL, wait_at, &gate);
        *n_started += refusal == 0;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < *n_started; i++)
        pthread_join(threads[i], NULL);
    return refusal;
}

equant_status thread_supply_check(int n_threads)
{
    static atomic_int proven = 1;
    if (n_threads <= atomic_load(&proven))
        return EQUANT_SUCCESS;
    pthread_t *threads = malloc((size_t)n_threads * sizeof *threads);
    if (!threads)
        return status_out_of_memory();
    int n_started, refusal = start_and_end(threads, n_threads - 1, &n_started);
    free(threads);
    if (refusal != 0)
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "the system starts only %d of the %d threads that were asked for (%s): "
                           "ask for fewer",
                           n_started + 1, n_threads, strerror(refusal));
    atomic_store(&proven, n_threads);
    return EQUANT_SUCCESS;
}
