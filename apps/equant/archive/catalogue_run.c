#include "archive/catalogue_run.h"

#include <stdio.h>
#include <string.h>

#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

struct run {
    const struct catalogue_kind *kind;
    const struct catalogue_work *work;
    struct catalogue_table table;
    struct progress progress;
    size_t n_waiting, n_seen, n_own, n_written; /* of the batch, of all files, of this share */
};

static int write_batch(struct run *run)
{
    if (run->n_waiting == 0)
        return EXIT_CODE_OK;
    int code = run->kind->write_batch(run->kind->self, &run->table);
    if (code == EXIT_CODE_OK)
        code = catalogue_table_flush(&run->table);
    run->n_written += run->n_waiting;
    run->n_waiting = 0;
    progress_update(&run->progress, (double)run->n_own, -1.0);
    return code;
}

/* A source of this share joins the batch, unless its row is there. */
static int take_source(struct run *run, bool *is_there)
{
    bool is_own = shard_has(&run->work->shard, run->n_seen);
    bool is_wanted = is_own && run->n_own >= run->table.n_done;
    const char *name = NULL;
    int code = run->kind->next(run->kind->self, is_wanted, &name);
    *is_there = name != NULL;
    if (code != EXIT_CODE_OK || name == NULL)
        return code;
    size_t number = run->n_own;
    run->n_seen++;
    run->n_own += is_own;
    if (is_own && !is_wanted && !catalogue_table_has(&run->table, number, name))
        return messages_failure("%s: row %zu is not of the source that these files have there; "
                                "name the same files, in the same order, and the same share",
                                run->table.path, number + 1);
    run->n_waiting += is_wanted;
    return run->n_waiting == run->work->n_batch ? write_batch(run) : EXIT_CODE_OK;
}

static int read_file(struct run *run, const char *path)
{
    bool is_there = true;
    int code = run->kind->open(run->kind->self, path);
    while (code == EXIT_CODE_OK && is_there && !interrupt_requested())
        code = take_source(run, &is_there);
    run->kind->close(run->kind->self);
    return code;
}

static int work_through(struct run *run, const struct file_list *files)
{
    int code = EXIT_CODE_OK;
    run->progress = progress_start(run->kind->noun);
    for (int i = 0; code == EXIT_CODE_OK && i < files->n && !interrupt_requested(); i++)
        code = read_file(run, files->paths[i]);
    if (code == EXIT_CODE_OK && !interrupt_requested())
        code = write_batch(run);
    progress_clear(&run->progress);
    if (interrupt_requested()) {
        messages_note("interrupted; go on with: equant catalogue ... --out %s --resume",
                      run->table.path);
        return EXIT_CODE_INTERRUPTED;
    }
    if (code != EXIT_CODE_OK)
        return code;
    size_t length = strlen(run->kind->noun) - (run->n_written == 1);
    printf("%zu %.*s in %s", run->n_written, (int)length, run->kind->noun, run->table.path);
    if (run->table.n_done > 0)
        printf(", beside %zu that were there", run->table.n_done);
    printf(": ");
    run->kind->say(run->kind->self);
    return EXIT_CODE_OK;
}

/* Files that are none are told of before a table is begun. */
static int try_file(const struct catalogue_kind *kind, const char *path)
{
    const char *name;
    int code = kind->open(kind->self, path);
    if (code == EXIT_CODE_OK)
        code = kind->next(kind->self, false, &name);
    kind->close(kind->self);
    return code;
}

int catalogue_run(const struct catalogue_kind *kind, const struct catalogue_work *work,
                  const struct file_list *files)
{
    struct run run = {.kind = kind, .work = work};
    int code = try_file(kind, files->paths[0]);
    if (code == EXIT_CODE_OK)
        code = catalogue_table_open(&run.table, work->out, work->goes_on, &work->options,
                                    kind->n_columns, kind->columns);
    if (code == EXIT_CODE_OK)
        code = catalogue_table_close(&run.table, work_through(&run, files));
    return code;
}
