#include "parallel/task_pool.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "platform/system_clock.h"
#include "platform/system_threads.h"

/* How long whoever has nothing to do stays awake, and lets others run: as long as it takes to be
 * woken. Pieces of fits often come sooner, and all wait for the last one. */
#define SECONDS_AWAKE 60e-6
/* How often a caller who waits looks up. */
#define SECONDS_ASLEEP 0.05

/* What the first thread has on most systems; the others have less on some: 128 kB with musl. */
#define STACK_BYTES ((size_t)8 << 20)

/* Pieces that belong together; in the frame of whoever shares them out, who leaves when all are
 * done and nobody is at it any more. */
typedef struct job {
    struct job *other; /* of the pool, or NULL */
    int depth;         /* pieces within pieces lie deeper */
    int n_threads;     /* workers from this number on leave it alone */
    size_t n, n_done;
    atomic_int n_inside; /* workers that are at it */
    atomic_size_t next;  /* the first piece that nobody has taken; n or more: none is left */
    task_piece *piece;
    void *context;
} job;

typedef struct worker {
    task_pool *pool;
    pthread_t thread;
    int number, depth; /* of the piece that it is at; 0: none */
} worker;

struct task_pool {
    pthread_mutex_t lock;    /* of everything below, but for what is atomic */
    pthread_cond_t news;     /* a job has come, or all shall end */
    pthread_cond_t progress; /* a job has come or is done: for those who wait for a job's end */
    job *jobs;
    atomic_uint n_posted; /* jobs so far */
    bool ends;
    int n_workers, n_idle, n_waiting; /* for news, for progress */
    worker workers[];
};

static bool has_pieces(const job *one)
{
    return atomic_load(&one->next) < one->n;
}

static bool is_over(const job *one)
{
    return one->n_done == one->n && one->n_inside == 0;
}

/* The deepest job below some depth of which pieces are left: to end what others wait for comes
 * before beginning something new. */
static job *find_job(const task_pool *pool, const worker *who, int above)
{
    job *found = NULL;
    for (job *one = pool->jobs; one; one = one->other)
        if (has_pieces(one) && who->number < one->n_threads && one->depth > above &&
            (!found || one->depth > found->depth))
            found = one;
    return found;
}

/* Takes pieces, without the lock, until none is left or another job has come: that may be the
 * deeper one. Returns how many. */
static size_t take_pieces(task_pool *pool, const worker *who, job *one, unsigned n_posted)
{
    size_t n = 0;
    while (atomic_load(&pool->n_posted) == n_posted) {
        size_t index = atomic_fetch_add(&one->next, 1);
        if (index >= one->n)
            break;
        one->piece(one->context, index, who->number);
        n++;
    }
    return n;
}

/* Wakes whom a new job is for: all who wait for the end of another, and of those who sleep as many
 * as there are pieces; all, where not everybody may do them. */
static void tell(task_pool *pool, const job *one, int n_idle, int n_waiting)
{
    if (n_waiting > 0)
        pthread_cond_broadcast(&pool->progress);
    if (one->n > (size_t)n_idle || one->n_threads < pool->n_workers)
        pthread_cond_broadcast(&pool->news);
    else
        for (size_t i = 1; i < one->n; i++)
            pthread_cond_signal(&pool->news);
}

/* Does pieces of a job; the lock is held before and after. Whoever has just posted it tells the
 * others first. */
static void do_pieces(task_pool *pool, worker *who, job *one, bool is_new)
{
    int before = who->depth, n_idle = pool->n_idle, n_waiting = pool->n_waiting;
    unsigned n_posted = atomic_load(&pool->n_posted);
    who->depth = one->depth;
    one->n_inside++;
    pthread_mutex_unlock(&pool->lock);
    if (is_new)
        tell(pool, one, n_idle, n_waiting);
    size_t n = take_pieces(pool, who, one, n_posted);
    pthread_mutex_lock(&pool->lock);
    who->depth = before;
    one->n_done += n;
    one->n_inside--;
    if (is_over(one) && pool->n_waiting > 0)
        pthread_cond_broadcast(&pool->progress);
}

/* Without the lock, which is held before and after: until a job comes, or nobody is at `own`,
 * unless NULL, any more. */
static void stay_awake(task_pool *pool, const job *own)
{
    unsigned n_posted = atomic_load(&pool->n_posted);
    double until = system_clock_s() + SECONDS_AWAKE;
    pthread_mutex_unlock(&pool->lock);
    while (atomic_load(&pool->n_posted) == n_posted && !(own && atomic_load(&own->n_inside) == 0) &&
           system_clock_s() < until)
        system_threads_yield();
    pthread_mutex_lock(&pool->lock);
}

static void *work(void *argument)
{
    worker *who = argument;
    task_pool *pool = who->pool;
    bool is_tired = false;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ends) {
        job *one = find_job(pool, who, 0);
        if (one) {
            do_pieces(pool, who, one, false);
            is_tired = false;
        } else if (!is_tired) {
            stay_awake(pool, NULL);
            is_tired = true;
        } else {
            pool->n_idle++;
            pthread_cond_wait(&pool->news, &pool->lock);
            pool->n_idle--;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Up to n with the first, who is there; fewer where the system starts no more. */
static void start_workers(task_pool *pool, int n)
{
    pthread_attr_t how;
    if (pthread_attr_init(&how) != 0)
        return;
    pthread_attr_setstacksize(&how, STACK_BYTES);
    for (; pool->n_workers < n; pool->n_workers++) {
        worker *who = &pool->workers[pool->n_workers];
        *who = (worker){.pool = pool, .number = pool->n_workers};
        if (pthread_create(&who->thread, &how, work, who) != 0)
            break;
    }
    pthread_attr_destroy(&how);
}

task_pool *task_pool_create(int n_threads)
{
    size_t n = n_threads > 1 ? (size_t)n_threads : 1;
    task_pool *pool = calloc(1, sizeof *pool + n * sizeof *pool->workers);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->news, NULL);
    pthread_cond_init(&pool->progress, NULL);
    pool->workers[0] = (worker){.pool = pool};
    pool->n_workers = 1;
    start_workers(pool, (int)n);
    return pool;
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
    pthread_cond_destroy(&pool->progress);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static void remove_job(task_pool *pool, const job *done)
{
    job **place = &pool->jobs;
    while (*place != done)
        place = &(*place)->other;
    *place = done->other;
}

/* Does pieces of a job until nobody is at it any more; the lock is held before and after. */
static void do_job(task_pool *pool, worker *who, job *own, void (*meanwhile)(void *context))
{
    own->other = pool->jobs;
    own->depth = who->depth + 1;
    pool->jobs = own;
    atomic_fetch_add(&pool->n_posted, 1);
    do_pieces(pool, who, own, true);
    for (bool is_tired = false; !is_over(own);) {
        job *one = has_pieces(own) ? own : find_job(pool, who, own->depth);
        if (one || !is_tired) {
            if (one)
                do_pieces(pool, who, one, false);
            else
                stay_awake(pool, own);
            is_tired = !one;
            continue;
        }
        pool->n_waiting++;
        if (who->number == 0 && meanwhile)
            system_threads_wait(&pool->progress, &pool->lock, SECONDS_ASLEEP);
        else
            pthread_cond_wait(&pool->progress, &pool->lock);
        pool->n_waiting--;
        if (who->number == 0 && meanwhile) {
            pthread_mutex_unlock(&pool->lock);
            meanwhile(own->context);
            pthread_mutex_lock(&pool->lock);
        }
    }
    remove_job(pool, own);
}

static void run(task_pool *pool, int number, job *own, void (*meanwhile)(void *context))
{
    pthread_mutex_lock(&pool->lock);
    do_job(pool, &pool->workers[number], own, meanwhile);
    pthread_mutex_unlock(&pool->lock);
}

void task_pool_run(task_pool *pool, int number, size_t n, task_piece *piece, void *context,
                   void (*meanwhile)(void *context))
{
    job own = {.n_threads = pool->n_workers, .n = n, .piece = piece, .context = context};
    run(pool, number, &own, meanwhile);
}

void task_pool_run_by(task_pool *pool, int n_threads, size_t n, task_piece *piece, void *context)
{
    job own = {.n_threads = n_threads, .n = n, .piece = piece, .context = context};
    run(pool, 0, &own, NULL);
}
