#include "archive/worker_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_process.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

enum { ANSWER_SIZE = 8192, WAIT_MS = 200 };
static const double patience_s = 5.0; /* for those who are told to stop */

struct worker {
    system_process process;
    bool is_busy, is_late;
    size_t job;
    double since_s;
    char answer[ANSWER_SIZE];
    size_t n_answer;
};

struct pool {
    const struct worker_pool_jobs *jobs;
    struct worker *workers;
    const system_process **processes; /* of the workers */
    bool *has_news;
    bool has_jobs;
};

/* --- Processes -------------------------------------------------------------------- */

/* One of the GPUs, in turn; NULL where none was named, or there is no memory for it. */
static char *choose_device(const char *devices, size_t number)
{
    size_t n = 1;
    if (devices == NULL)
        return NULL;
    for (const char *at = devices; (at = strchr(at, ',')) != NULL; at++)
        n++;
    for (size_t skip = number % n; skip > 0; skip--)
        devices = strchr(devices, ',') + 1;
    return strndup(devices, strcspn(devices, ","));
}

static int start_worker(struct pool *pool, struct worker *worker)
{
    char *device = choose_device(pool->jobs->devices, (size_t)(worker - pool->workers));
    int error = system_process_start(&worker->process, pool->jobs->argv, device,
                                     pool->jobs->n_workers, pool->processes);
    free(device);
    if (error != 0)
        return messages_failure("no process can be started for a star: %s", strerror(error));
    return EXIT_CODE_OK;
}

static system_process_end end_worker(struct worker *worker)
{
    system_process_end end = system_process_join(&worker->process);
    *worker = (struct worker){0};
    return end;
}

/* --- Jobs --------------------------------------------------------------------------- */

static int give_job(struct pool *pool, struct worker *worker)
{
    char *line = NULL;
    size_t job;
    pool->has_jobs = pool->jobs->next(pool->jobs->context, &job, &line);
    if (!pool->has_jobs)
        return EXIT_CODE_OK;
    int code = worker->process.number > 0 ? EXIT_CODE_OK : start_worker(pool, worker);
    if (code == EXIT_CODE_OK) {
        worker->is_busy = true;
        worker->job = job;
        worker->since_s = progress_clock_s();
        system_process_send(&worker->process,
                            line); /* who does not hear it has died, and is noticed below */
    }
    free(line);
    return code;
}

/* A worker whose line has ended while it had a job. */
static void lose_job(struct pool *pool, struct worker *worker)
{
    char why[160];
    size_t job = worker->job;
    bool is_late = worker->is_late;
    system_process_end end = end_worker(worker);
    if (is_late)
        snprintf(why, sizeof why, "it took more than %g s, the time limit of a star",
                 pool->jobs->time_limit_s);
    else if (end.signal_name != NULL)
        snprintf(why, sizeof why, "its process was ended by signal %d (%s)", end.signal,
                 end.signal_name);
    else
        snprintf(why, sizeof why, "its process ended with exit code %d and without an answer",
                 end.code);
    if (!interrupt_requested() || is_late)
        pool->jobs->lost(pool->jobs->context, job, why);
}

static void hear(struct pool *pool, struct worker *worker)
{
    ptrdiff_t n = system_process_hear(&worker->process, worker->answer + worker->n_answer,
                                      sizeof worker->answer - 1 - worker->n_answer);
    if (n < 0)
        return;
    if (n > 0) {
        worker->n_answer += (size_t)n;
        worker->answer[worker->n_answer] = '\0';
        char *end = strchr(worker->answer, '\n');
        if (end != NULL) {
            *end = '\0';
            worker->is_busy = false;
            worker->n_answer = 0;
            pool->jobs->answered(pool->jobs->context, worker->job, worker->answer);
            return;
        }
        if (worker->n_answer < sizeof worker->answer - 1)
            return;
        system_process_kill(&worker->process); /* no answer is so long */
    }
    if (worker->is_busy)
        lose_job(pool, worker);
    else
        end_worker(worker);
}

/* --- Waiting -------------------------------------------------------------------------- */

static void stop_late_workers(struct pool *pool)
{
    double limit = pool->jobs->time_limit_s, now = progress_clock_s();
    for (size_t i = 0; i < pool->jobs->n_workers && limit > 0.0; i++) {
        struct worker *worker = &pool->workers[i];
        if (worker->is_busy && now - worker->since_s > limit) {
            worker->is_late = true;
            system_process_kill(&worker->process);
        }
    }
}

static size_t wait_for_answers(struct pool *pool)
{
    size_t n_busy = 0;
    for (size_t i = 0; i < pool->jobs->n_workers; i++)
        n_busy += pool->workers[i].is_busy;
    if (n_busy > 0)
        system_process_wait(pool->jobs->n_workers, pool->processes, WAIT_MS, pool->has_news);
    for (size_t i = 0; i < pool->jobs->n_workers && n_busy > 0; i++)
        if (pool->has_news[i])
            hear(pool, &pool->workers[i]);
    stop_late_workers(pool);
    pool->jobs->waiting(pool->jobs->context);
    return n_busy;
}

static void tell_all(const struct pool *pool, void (*tell)(const system_process *process))
{
    for (size_t i = 0; i < pool->jobs->n_workers; i++)
        if (pool->workers[i].process.number > 0)
            tell(&pool->workers[i].process);
}

static void stop_all(struct pool *pool)
{
    double until_s = progress_clock_s() + patience_s;
    tell_all(pool, system_process_ask_to_end);
    while (wait_for_answers(pool) > 0 && progress_clock_s() < until_s)
        ;
    tell_all(pool, system_process_kill);
}

static int work(struct pool *pool)
{
    int code = EXIT_CODE_OK;
    do {
        for (size_t i = 0; i < pool->jobs->n_workers && code == EXIT_CODE_OK; i++)
            if (pool->has_jobs && !pool->workers[i].is_busy && !interrupt_requested())
                code = give_job(pool, &pool->workers[i]);
    } while (code == EXIT_CODE_OK && !interrupt_requested() && wait_for_answers(pool) > 0);
    if (code != EXIT_CODE_OK || interrupt_requested())
        stop_all(pool);
    return code == EXIT_CODE_OK && interrupt_requested() ? EXIT_CODE_INTERRUPTED : code;
}

int worker_pool_run(const struct worker_pool_jobs *jobs)
{
    struct pool pool = {.jobs = jobs,
                        .workers = calloc(jobs->n_workers, sizeof *pool.workers),
                        .processes = calloc(jobs->n_workers, sizeof *pool.processes),
                        .has_news = calloc(jobs->n_workers, sizeof *pool.has_news),
                        .has_jobs = true};
    bool has_memory = pool.workers != NULL && pool.processes != NULL && pool.has_news != NULL;
    for (size_t i = 0; has_memory && i < jobs->n_workers; i++)
        pool.processes[i] = &pool.workers[i].process;
    int code = has_memory ? work(&pool) : messages_out_of_memory();
    for (size_t i = 0; has_memory && i < jobs->n_workers; i++)
        if (pool.workers[i].process.number > 0)
            end_worker(&pool.workers[i]);
    free(pool.workers);
    free(pool.processes);
    free(pool.has_news);
    return code;
}
