#include "inference/study/task_pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "core/status.h"

/* How often a caller who waits looks up. */
#define NANOSECONDS_ASLEEP 50000000L

/* Pieces that belong together; in the frame of whoever shares them out. */
typedef struct job {
    struct job *other; /* of the pool, or NULL */
    int depth;         /* pieces within pieces lie deeper */
    size_t n, next, n_done;
    task_piece *piece;
    void *context;
} job;

typedef struct worker {
    task_pool *pool;
    pthread_t thread;
    int number, depth; /* of the piece that it is at; 0: none */
} worker;

struct task_pool {
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t news;  /* a job has come or is done, or all shall end */
    job *jobs;
    bool ends;
    int n_workers;
    worker workers[];
};

/* The deepest job below some depth of which pieces are left: to end what others wait for comes
 * before beginning something new. */
static job *find_job(const task_pool *pool, int above)
{
    job *found = NULL;
    for (job *one = pool->jobs; one; one = one->other)
        if (one->next < one->n && one->depth > above && (!found || one->depth > found->depth))
            found = one;
    return found;
}

/* Does one piece; the lock is held before and after. */
static void do_piece(task_pool *pool, worker *who, job *one)
{
    size_t index = one->next++;
    int before = who->depth;
    who->depth = one->depth;
    pthread_mutex_unlock(&pool->lock);
    one->piece(one->context, index, who->number);
    pthread_mutex_lock(&pool->lock);
    who->depth = before;
    if (++one->n_done == one->n)
        pthread_cond_broadcast(&pool->news);
}

static void *work(void *argument)
{
    worker *who = argument;
    task_pool *pool = who->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ends) {
        job *one = find_job(pool, 0);
        if (one)
            do_piece(pool, who, one);
        else
            pthread_cond_wait(&pool->news, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

equant_status task_pool_create(int n_threads, task_pool **made)
{
    size_t n = n_threads > 1 ? (size_t)n_threads : 1;
    task_pool *pool = calloc(1, sizeof *pool + n * sizeof *pool->workers);
    if (!pool)
        return status_out_of_memory();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->news, NULL);
    pool->workers[0] = (worker){.pool = pool};
    for (pool->n_workers = 1; (size_t)pool->n_workers < n; pool->n_workers++) {
        worker *who = &pool->workers[pool->n_workers];
        *who = (worker){.pool = pool, .number = pool->n_workers};
        if (pthread_create(&who->thread, NULL, work, who) != 0)
            break;
    }
    *made = pool;
    return EQUANT_SUCCESS;
}

void task_pool_free(task_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ends = true;
    pthread_cond_broadcast(&pool->news);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 1; i < pool->n_workers; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->news);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static void sleep_a_while(task_pool *pool)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NANOSECONDS_ASLEEP;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&pool->news, &pool->lock, &until);
}

static void remove_job(task_pool *pool, const job *done)
{
    job **place = &pool->jobs;
    while (*place != done)
        place = &(*place)->other;
    *place = done->other;
}

void task_pool_run(task_pool *pool, int number, size_t n, task_piece *piece, void *context,
                   void (*meanwhile)(void *context))
{
    worker *who = &pool->workers[number];
    pthread_mutex_lock(&pool->lock);
    job own = {
        .other = pool->jobs, .depth = who->depth + 1, .n = n, .piece = piece, .context = context};
    pool->jobs = &own;
    pthread_cond_broadcast(&pool->news);
    while (own.n_done < n) {
        job *one = own.next < n ? &own : find_job(pool, own.depth);
        if (one) {
            do_piece(pool, who, one);
        } else if (number == 0 && meanwhile) {
            sleep_a_while(pool);
            pthread_mutex_unlock(&pool->lock);
            meanwhile(context);
            pthread_mutex_lock(&pool->lock);
        } else {
            pthread_cond_wait(&pool->news, &pool->lock);
        }
    }
    remove_job(pool, &own);
    pthread_mutex_unlock(&pool->lock);
}
