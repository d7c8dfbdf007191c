/* The side of a batch that deals out. */
#include "archive/star_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/record_table.h"
#include "archive/worker_pool.h"
#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "files/row_file.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/progress_display.h"

struct star_batch {
    const struct batch_request *request;
    const struct star_batch_work *work;
    struct batch_list list;
    char *header;
    enum star_status *status; /* [list.n] */
    int *attempts;            /* [list.n] */
    size_t next;              /* the first that may have to be done */
    size_t n_computed, n_failed, n_done_before, n_given_up;
    struct row_file rows; /* the table, to which rows are added */
    struct progress progress;
};

/* --- What is there ---------------------------------------------------------------- */

static int read_star(struct star_batch *batch, size_t index)
{
    struct star_record record;
    char *folder = output_folder_join(batch->work->folder, batch->list.stars[index].name);
    if (folder == NULL)
        return EXIT_CODE_FAILED;
    int code = star_record_read(folder, &record);
    if (code == EXIT_CODE_OK && record.header != NULL && strcmp(record.header, batch->header) != 0)
        code =
            messages_failure("%s: it was written with other options; take another folder", folder);
    batch->status[index] = record.status;
    batch->attempts[index] = record.attempts;
    star_record_free(&record);
    free(folder);
    return code;
}

static bool is_given_up(const struct star_batch *batch, size_t index)
{
    return (batch->status[index] == STAR_LOST || batch->status[index] == STAR_RUNNING) &&
           batch->attempts[index] >= batch->request->most_attempts;
}

static int read_stars(struct star_batch *batch)
{
    int code = EXIT_CODE_OK;
    batch->status = calloc(batch->list.n + 1, sizeof *batch->status);
    batch->attempts = calloc(batch->list.n + 1, sizeof *batch->attempts);
    if (batch->status == NULL || batch->attempts == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < batch->list.n && code == EXIT_CODE_OK; i++) {
        code = read_star(batch, i);
        batch->n_done_before += batch->status[i] == STAR_OK;
        batch->n_given_up += is_given_up(batch, i);
    }
    return code;
}

/* The table anew from all records of the folder, those of other lists too. */
static int write_table(const struct star_batch *batch)
{
    struct record_table table = {.header = strdup(batch->header)};
    int code = table.header == NULL ? messages_out_of_memory()
                                    : record_table_collect(&table, batch->work->folder);
    if (code == EXIT_CODE_OK) {
        record_table_sort(&table);
        code = record_table_write_own(&table, batch->work->folder);
    }
    record_table_free(&table);
    return code;
}

/* The records, and the table of an earlier run, if they are of these options. Rows are added to it
 * as they come, for those who watch. */
static int open_table(struct star_batch *batch)
{
    char *path = output_folder_join(batch->work->folder, RECORD_TABLE_FILE);
    batch->header = star_record_header(batch->work->options);
    int code = path == NULL || batch->header == NULL ? EXIT_CODE_FAILED
                                                     : record_table_check(path, batch->header);
    if (code == EXIT_CODE_OK)
        code = read_stars(batch);
    if (batch->request->shard.n > 0) {
        free(path);
        return code;
    }
    if (code == EXIT_CODE_OK)
        code = write_table(batch);
    if (code == EXIT_CODE_OK)
        code = row_file_open(&batch->rows, NULL, path, &record_table_kind);
    if (code == EXIT_CODE_OK)
        code = row_file_cut(&batch->rows, row_file_size(&batch->rows));
    free(path);
    return code;
}

/* --- Stars ---------------------------------------------------------------------------- */

static bool next_star(void *context, size_t *job, char **line)
{
    struct star_batch *batch = context;
    while (batch->next < batch->list.n &&
           (batch->status[batch->next] == STAR_OK || is_given_up(batch, batch->next)))
        batch->next++;
    if (batch->next >= batch->list.n)
        return false;
    *job = batch->next++;
    *line = batch_star_line(&batch->list.stars[*job]);
    return *line != NULL;
}

static void print_star(struct star_batch *batch, size_t index, const char *words)
{
    enum { NAME_WIDTH = 16 };
    progress_clear(&batch->progress);
    printf("%5zu/%zu  ", index + 1, batch->list.n);
    int width = plain_text_write(stdout, batch->list.stars[index].name);
    printf("%*s  ", width < NAME_WIDTH ? NAME_WIDTH - width : 0, "");
    plain_text_write(stdout, words);
    putchar('\n');
    fflush(stdout);
}

/* A row that cannot be added now is in the record, from which the table is made at the end. */
static void add_row(struct star_batch *batch, size_t index)
{
    struct star_record record = {0};
    char *folder = output_folder_join(batch->work->folder, batch->list.stars[index].name);
    if (batch->rows.stream != NULL && folder != NULL &&
        star_record_read(folder, &record) == EXIT_CODE_OK && record.row != NULL) {
        fprintf(batch->rows.stream, "%s\n", record.row);
        row_file_flush(&batch->rows);
    }
    star_record_free(&record);
    free(folder);
}

static void star_answered(void *context, size_t job, char *answer)
{
    struct star_batch *batch = context;
    char *words = strchr(answer, '\t');
    bool is_ok = strncmp(answer, "ok\t", 3) == 0;
    *(is_ok ? &batch->n_computed : &batch->n_failed) += 1;
    print_star(batch, job, words != NULL ? words + 1 : answer);
    add_row(batch, job);
}

static void star_lost(void *context, size_t job, const char *why)
{
    struct star_batch *batch = context;
    char words[256];
    struct star_record record = {0};
    char *folder = output_folder_join(batch->work->folder, batch->list.stars[job].name);
    int code = folder == NULL ? EXIT_CODE_FAILED : output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = star_record_read(folder, &record);
    struct star_entry entry = {.name = batch->list.stars[job].name,
                               .status = STAR_LOST,
                               .attempts = record.attempts > 0 ? record.attempts : 1,
                               .message = why};
    if (code == EXIT_CODE_OK)
        star_record_write(folder, batch->work->options, &entry);
    star_record_free(&record);
    free(folder);
    batch->n_failed++;
    snprintf(words, sizeof words, "lost: %s", why);
    print_star(batch, job, words);
    add_row(batch, job);
}

static void show_progress(void *context)
{
    struct star_batch *batch = context;
    size_t n_now = batch->n_computed + batch->n_failed;
    size_t n_all = batch->list.n - batch->n_done_before - batch->n_given_up;
    progress_update(&batch->progress, (double)n_now,
                    n_all > 0 ? (double)n_now / (double)n_all : 1.0);
}

/* --- The batch ------------------------------------------------------------------------- */

/* Stars that a worker has before it: so many hide one that takes long. */
enum { STARS_THAT_HIDE_ONE = 64 };

/* Threads of a worker. Of a long list each star has its share, which no parallel loop can beat. Of
 * a short one the last stars would leave most of the machine idle: there each may have all of it,
 * where it is the batch's, and the system shares it out. */
static int threads_of_worker(int n_threads, size_t n_workers, size_t n_left)
{
    bool has_machine = n_threads >= equant_default_threads() && getenv("OMP_NUM_THREADS") == NULL;
    int share = n_threads / (int)n_workers;
    if (has_machine && n_left / n_workers < STARS_THAT_HIDE_ONE)
        return equant_default_threads();
    return share > 1 ? share : 1;
}

/* The command again, with its threads. */
static int run_workers(struct star_batch *batch, int argc, char **argv)
{
    int n_threads = batch->work->n_threads;
    if (n_threads <= 0)
        n_threads = equant_default_threads();
    size_t n_left = batch->list.n - batch->n_done_before - batch->n_given_up;
    size_t n_workers =
        (size_t)(batch->request->n_workers > 0 ? batch->request->n_workers : n_threads);
    n_workers = n_workers < n_left ? n_workers : n_left;
    if (n_workers == 0)
        return EXIT_CODE_OK;
    char threads[16];
    snprintf(threads, sizeof threads, "%d", threads_of_worker(n_threads, n_workers, n_left));
    char **worker_argv = calloc((size_t)argc + 5, sizeof *worker_argv);
    if (worker_argv == NULL)
        return messages_out_of_memory();
    worker_argv[0] = "equant";
    memcpy(worker_argv + 1, argv, (size_t)argc * sizeof *argv);
    worker_argv[argc + 1] = "--worker";
    worker_argv[argc + 2] = "--threads";
    worker_argv[argc + 3] = threads;
    batch->progress = progress_start("stars");
    int code = worker_pool_run(&(struct worker_pool_jobs){
        .argv = worker_argv,
        .n_workers = n_workers,
        .devices = batch->request->devices,
        .time_limit_s = batch->request->time_limit_s,
        .context = batch,
        .next = next_star,
        .answered = star_answered,
        .lost = star_lost,
        .waiting = show_progress,
    });
    progress_clear(&batch->progress);
    free(worker_argv);
    return code;
}

static int conclude(const struct star_batch *batch)
{
    size_t n = batch->list.n, n_computed = batch->n_done_before + batch->n_computed;
    printf("%zu star%s: %zu %s%s, %zu failed; ", n, n == 1 ? "" : "s", n_computed,
           batch->work->verb, batch->n_done_before > 0 ? " in all" : "",
           batch->n_failed + batch->n_given_up);
    if (batch->request->shard.n > 0)
        fputs("`equant merge ", stdout);
    plain_text_write(stdout, batch->work->folder);
    puts(batch->request->shard.n > 0 ? "` makes the table of all"
                                     : "/" RECORD_TABLE_FILE " tells all");
    return n_computed == n ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

static int run_stars(struct star_batch *batch, int argc, char **argv)
{
    if (batch->n_done_before > 0)
        printf("%zu of %zu stars are done already.\n", batch->n_done_before, batch->list.n);
    if (batch->n_given_up > 0)
        printf("%zu star%s crashed or took too long %d times, and %s left alone; a larger "
               "--attempts tries again.\n",
               batch->n_given_up, batch->n_given_up == 1 ? "" : "s", batch->request->most_attempts,
               batch->n_given_up == 1 ? "is" : "are");
    int code = run_workers(batch, argc, argv);
    if (code == EXIT_CODE_INTERRUPTED)
        messages_note("interrupted after %zu of %zu stars; the same command goes on from there",
                      batch->n_done_before + batch->n_computed + batch->n_failed, batch->list.n);
    int written = batch->request->shard.n > 0 ? EXIT_CODE_OK : write_table(batch);
    if (code != EXIT_CODE_OK || written != EXIT_CODE_OK)
        return code != EXIT_CODE_OK ? code : written;
    return conclude(batch);
}

/* Shards share the folder, and each keeps a second one of its own number out. */
static int take_locks(const struct star_batch *batch, equant_folder_lock **lock,
                      equant_folder_lock **shard_lock)
{
    const struct shard *shard = &batch->request->shard;
    char name[64] = "";
    if (batch->work->is_forced)
        return EXIT_CODE_OK;
    snprintf(name, sizeof name, ".equant-%zu-of-%zu.lock", shard->number, shard->n);
    int code = folder_lock_take_named(lock, batch->work->folder, NULL, shard->n > 0);
    if (code == EXIT_CODE_OK && shard->n > 0)
        code = folder_lock_take_named(shard_lock, batch->work->folder, name, false);
    return code;
}

int star_batch_run(const struct batch_request *request, const struct star_batch_work *work,
                   int argc, char **argv)
{
    equant_folder_lock *lock = NULL, *shard_lock = NULL;
    struct star_batch batch = {.request = request, .work = work};
    int code = batch_list_read(&batch.list, request->list);
    if (code == EXIT_CODE_OK) {
        batch_list_take_shard(&batch.list, &request->shard);
        code = output_folder_create(work->folder);
    }
    if (code == EXIT_CODE_OK)
        code = take_locks(&batch, &lock, &shard_lock);
    if (code == EXIT_CODE_OK)
        code = open_table(&batch);
    if (code == EXIT_CODE_OK)
        code = run_stars(&batch, argc, argv);
    code = row_file_close(&batch.rows, code);
    equant_folder_lock_release(shard_lock);
    equant_folder_lock_release(lock);
    batch_list_free(&batch.list);
    free(batch.header);
    free(batch.status);
    free(batch.attempts);
    return code;
}
