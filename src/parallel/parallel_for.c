#include "parallel/parallel_for.h"

#include <stdbool.h>
#include <stdlib.h>
#include "parallel/task_pool.h"
#include "platform/system_threads.h"

/* Every thread that runs loops has a pool of its own, which ends with it. */
typedef struct own_threads {
    task_pool *pool;
    int n; /* asked of it */
} own_threads;

static _Thread_local own_threads own;
static _Thread_local bool is_within;     /* a loop */
static _Thread_local int current_thread; /* of that loop */

typedef struct loop {
    size_t n, at_once;
    parallel_steps *steps;
    void *context;
} loop;

static pthread_once_t has_begun = PTHREAD_ONCE_INIT;
static pthread_key_t at_end; /* of a thread */
static bool ends_threads;

static void end_threads(void *pool)
{
    task_pool_free(pool);
}

/* A forked process has the thread that forked and no other: its pool is left behind. */
static void forget_threads(void)
{
    own = (own_threads){NULL, 0};
    if (ends_threads)
        pthread_setspecific(at_end, NULL);
}

static void begin(void)
{
    ends_threads = pthread_key_create(&at_end, end_threads) == 0;
    system_threads_at_fork(forget_threads);
}

/* NULL: out of memory. */
static task_pool *require_threads(int n_threads)
{
    if (own.pool && own.n >= n_threads)
        return own.pool;
    pthread_once(&has_begun, begin);
    if (!ends_threads)
        return NULL;
    task_pool_free(own.pool);
    own = (own_threads){task_pool_create(n_threads), n_threads};
    pthread_setspecific(at_end, own.pool);
    return own.pool;
}

static void run_as(int thread, const loop *one, size_t first, size_t end)
{
    bool was_within = is_within;
    int before = current_thread;
    is_within = true;
    current_thread = thread;
    one->steps(one->context, first, end, thread);
    is_within = was_within;
    current_thread = before;
}

static void run_piece(void *context, size_t index, int worker)
{
    const loop *one = context;
    size_t first = index * one->at_once, left = one->n - first;
    run_as(worker, one, first, first + (left < one->at_once ? left : one->at_once));
}

void parallel_for(int n_threads, size_t n, size_t at_once, parallel_steps *steps, void *context)
{
    loop one = {n, at_once, steps, context};
    if (n == 0)
        return;
    if (at_once == 0)
        one.at_once = n_threads > 1 ? 1 + (n - 1) / (size_t)n_threads : n;
    size_t n_pieces = 1 + (n - 1) / one.at_once;
    if (n_pieces < (size_t)(n_threads > 0 ? n_threads : 0))
        n_threads = (int)n_pieces;
    task_pool *pool = n_threads > 1 && !is_within ? require_threads(n_threads) : NULL;
    if (pool)
        task_pool_run_by(pool, n_threads, n_pieces, run_piece, &one);
    else
        run_as(0, &one, 0, n);
}

void parallel_keep_larger(atomic_int *largest, int number)
{
    int known = atomic_load(largest);
    while (number > known && !atomic_compare_exchange_weak(largest, &known, number)) {
    }
}

int parallel_thread(void)
{
    return current_thread;
}

int parallel_processors(void)
{
    return system_threads_processors();
}
