/* Processes that take jobs, a line each, on standard input and answer a line each on standard
 * output. A process that dies or takes too long costs the job that it was at, and another takes its
 * place. */
#ifndef EQUANT_APP_ARCHIVE_WORKER_POOL_H
#define EQUANT_APP_ARCHIVE_WORKER_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct worker_pool_jobs {
    char *const *argv; /* of a worker, for this same program; ends with NULL */
    size_t n_workers;
    const char *devices; /* GPUs with commas between, one in turn for each; NULL: all see all */
    double time_limit_s; /* of a job; 0: none */
    void *context;
    /* The next job and its line, with a line feed, in memory that the pool frees; false: there is
     * none left. */
    bool (*next)(void *context, size_t *job, char **line);
    /* The answer, without its line feed. */
    void (*answered)(void *context, size_t job, char *answer);
    /* No answer will come; why, as the end of a sentence that begins with the job. */
    void (*lost)(void *context, size_t job, const char *why);
    /* Called several times a second, for a line of progress. */
    void (*waiting)(void *context);
};

/* Works until all jobs are answered or lost. After Ctrl-C no job is begun, those under way are told
 * to stop, and what has not answered soon is neither answered nor lost. Returns an exit code:
 * EXIT_CODE_INTERRUPTED then; EXIT_CODE_FAILED, with a sentence, where no process can be made. */
int worker_pool_run(const struct worker_pool_jobs *jobs);

#endif
