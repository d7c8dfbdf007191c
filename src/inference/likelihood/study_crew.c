#include "inference/likelihood/study_crew.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"
#include "parallel/task_pool.h"
#include "platform/system_threads.h"

struct study_crew {
    task_pool *pool;
    int n;
    study_evaluators evaluators[]; /* [n], of one thread each */
};

/* Pieces that are shared out together. */
typedef struct shared_work {
    study like; /* what the pieces get */
    study_work *work;
    void *context;
    atomic_bool has_failed; /* asked before each piece */
    pthread_mutex_t lock;   /* of what follows */
    equant_status status;   /* of the first piece that failed */
    size_t failed;
    char sentence[1024]; /* failures speak to the thread that they happen on */
} shared_work;

void study_crew_free(study_crew *crew)
{
    if (!crew)
        return;
    task_pool_free(crew->pool);
    for (int i = 0; i < crew->n; i++)
        study_evaluators_free(&crew->evaluators[i]);
    free(crew);
}

int study_crew_size(const study *star)
{
    const study *whole = star->whole ? star->whole : star;
    return placement_threads(whole->fit_engine.n_threads);
}

/* Makes the threads that are not there yet. */
static equant_status require_crew(study *star)
{
    int n = study_crew_size(star);
    if (star->crew)
        return EQUANT_SUCCESS;
    if (n > parallel_processors()) /* more than these gain nothing, and take room for stacks */
        n = parallel_processors();
    study_crew *crew = calloc(1, sizeof *crew + (size_t)n * sizeof *crew->evaluators);
    if (!crew)
        return status_out_of_memory();
    crew->n = n;
    crew->pool = task_pool_create(n);
    if (!crew->pool) {
        free(crew);
        return status_out_of_memory();
    }
    star->crew = crew;
    return EQUANT_SUCCESS;
}

static void note_failure(shared_work *shared, size_t index, equant_status status)
{
    pthread_mutex_lock(&shared->lock);
    if (shared->status == EQUANT_SUCCESS || index < shared->failed) {
        shared->status = status;
        shared->failed = index;
        snprintf(shared->sentence, sizeof shared->sentence, "%s", equant_last_error());
    }
    atomic_store(&shared->has_failed, true);
    pthread_mutex_unlock(&shared->lock);
}

static void do_piece(void *context, size_t index, int worker)
{
    shared_work *shared = context;
    if (atomic_load(&shared->has_failed))
        return;
    study own = shared->like;
    own.worker = worker;
    own.made = &own.whole->crew->evaluators[worker];
    equant_status status = study_still_wanted(&own);
    if (status == EQUANT_SUCCESS)
        status = shared->work(&own, shared->context, index);
    if (status != EQUANT_SUCCESS)
        note_failure(shared, index, status);
}

/* The caller may have had enough while others work. */
static void ask_caller(void *context)
{
    shared_work *shared = context;
    study_still_wanted(&shared->like);
}

static equant_status share(study *star, size_t n, study_work *work, void *context)
{
    shared_work *shared = malloc(sizeof *shared);
    if (!shared)
        return status_out_of_memory();
    *shared = (shared_work){
        .like = *star, .work = work, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
    study *like = &shared->like;
    like->whole = star->whole ? star->whole : star;
    like->fit_engine.n_threads = like->scan_engine.n_threads = 1;
    task_pool_run(like->whole->crew->pool, star->worker, n, do_piece, shared, ask_caller);
    equant_status status = shared->status;
    if (status != EQUANT_SUCCESS)
        status_fail(status, "%s", shared->sentence);
    else
        status = study_still_wanted(like);
    pthread_mutex_destroy(&shared->lock);
    free(shared);
    return status;
}

equant_status study_crew_share(study *star, size_t n, study_work *work, void *context)
{
    equant_status status = EQUANT_SUCCESS;
    if (n > 1 && study_crew_size(star) > 1) {
        status = star->whole ? EQUANT_SUCCESS : require_crew(star);
        return status == EQUANT_SUCCESS ? share(star, n, work, context) : status;
    }
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        status = work(star, context, i);
    return status;
}
