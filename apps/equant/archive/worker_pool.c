#include "archive/worker_pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

enum { ANSWER_SIZE = 8192, WAIT_MS = 200 };
static const double patience_s = 5.0; /* for those who are told to stop */

struct worker {
    pid_t pid; /* 0: no process                                 */
    int line;  /* a socket: jobs out, answers in                */
    bool is_busy, is_late;
    size_t job;
    double since_s;
    char answer[ANSWER_SIZE];
    size_t n_answer;
};

struct pool {
    const struct worker_pool_jobs *jobs;
    struct worker *workers;
    struct pollfd *polled;
    bool has_jobs;
};

/* --- Processes -------------------------------------------------------------------- */

/* One of the GPUs, in turn: CUDA then knows no other. */
static void choose_device(const char *devices, size_t number)
{
    size_t n = 1;
    for (const char *at = devices; (at = strchr(at, ',')) != NULL; at++)
        n++;
    for (size_t skip = number % n; skip > 0; skip--)
        devices = strchr(devices, ',') + 1;
    char *own = strndup(devices, strcspn(devices, ","));
    if (own != NULL)
        setenv("CUDA_VISIBLE_DEVICES", own, 1);
    free(own);
}

static _Noreturn void become_worker(const struct pool *pool, size_t number, int line)
{
    if (pool->jobs->devices != NULL)
        choose_device(pool->jobs->devices, number);
    /* A group of its own: Ctrl-C comes to the batch alone, which tells its workers. */
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (dup2(line, STDIN_FILENO) >= 0 && dup2(line, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", pool->jobs->argv);
    execvp(pool->jobs->argv[0], pool->jobs->argv); /* where there is no /proc */
    _exit(127);
}

static int start_worker(struct pool *pool, struct worker *worker)
{
    int lines[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, lines) != 0)
        return messages_failure("no process can be started for a star: %s", strerror(errno));
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        for (size_t i = 0; i < pool->jobs->n_workers; i++)
            if (pool->workers[i].pid > 0)
                close(pool->workers[i].line);
        close(lines[0]);
        become_worker(pool, (size_t)(worker - pool->workers), lines[1]);
    }
    close(lines[1]);
    if (pid < 0) {
        close(lines[0]);
        return messages_failure("no process can be started for a star: %s", strerror(errno));
    }
    worker->pid = pid;
    worker->line = lines[0];
    return EXIT_CODE_OK;
}

static int end_worker(struct worker *worker)
{
    int status = 0;
    close(worker->line); /* which ends one that waits for a job */
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    *worker = (struct worker){0};
    return status;
}

/* --- Jobs --------------------------------------------------------------------------- */

static bool send_all(int line, const char *text)
{
    for (size_t n = strlen(text); n > 0;) {
        ssize_t sent = send(line, text, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        text += sent;
        n -= (size_t)sent;
    }
    return true;
}

static int give_job(struct pool *pool, struct worker *worker)
{
    char *line = NULL;
    size_t job;
    pool->has_jobs = pool->jobs->next(pool->jobs->context, &job, &line);
    if (!pool->has_jobs)
        return EXIT_CODE_OK;
    int code = worker->pid > 0 ? EXIT_CODE_OK : start_worker(pool, worker);
    if (code == EXIT_CODE_OK) {
        worker->is_busy = true;
        worker->job = job;
        worker->since_s = progress_clock_s();
        send_all(worker->line, line); /* who does not hear it has died, and is noticed below */
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
    int status = end_worker(worker);
    if (is_late)
        snprintf(why, sizeof why, "it took more than %g s, the time limit of a star",
                 pool->jobs->time_limit_s);
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "its process was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, sizeof why, "its process ended with exit code %d and without an answer",
                 WEXITSTATUS(status));
    if (!interrupt_requested() || is_late)
        pool->jobs->lost(pool->jobs->context, job, why);
}

static void hear(struct pool *pool, struct worker *worker)
{
    ssize_t n = recv(worker->line, worker->answer + worker->n_answer,
                     sizeof worker->answer - 1 - worker->n_answer, 0);
    if (n < 0 && errno == EINTR)
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
        kill(worker->pid, SIGKILL); /* no answer is so long */
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
            kill(worker->pid, SIGKILL);
        }
    }
}

static size_t wait_for_answers(struct pool *pool)
{
    size_t n_busy = 0;
    for (size_t i = 0; i < pool->jobs->n_workers; i++) {
        const struct worker *worker = &pool->workers[i];
        pool->polled[i] = (struct pollfd){worker->pid > 0 ? worker->line : -1, POLLIN, 0};
        n_busy += worker->is_busy;
    }
    if (n_busy > 0 && poll(pool->polled, pool->jobs->n_workers, WAIT_MS) > 0)
        for (size_t i = 0; i < pool->jobs->n_workers; i++)
            if (pool->polled[i].revents != 0)
                hear(pool, &pool->workers[i]);
    stop_late_workers(pool);
    pool->jobs->waiting(pool->jobs->context);
    return n_busy;
}

static void tell_all(const struct pool *pool, int signal_number)
{
    for (size_t i = 0; i < pool->jobs->n_workers; i++)
        if (pool->workers[i].pid > 0)
            kill(pool->workers[i].pid, signal_number);
}

static void stop_all(struct pool *pool)
{
    double until_s = progress_clock_s() + patience_s;
    tell_all(pool, SIGTERM);
    while (wait_for_answers(pool) > 0 && progress_clock_s() < until_s)
        ;
    tell_all(pool, SIGKILL);
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
                        .polled = calloc(jobs->n_workers, sizeof *pool.polled),
                        .has_jobs = true};
    int code = pool.workers == NULL || pool.polled == NULL ? messages_out_of_memory() : work(&pool);
    for (size_t i = 0; pool.workers != NULL && i < jobs->n_workers; i++)
        if (pool.workers[i].pid > 0)
            end_worker(&pool.workers[i]);
    free(pool.workers);
    free(pool.polled);
    return code;
}
