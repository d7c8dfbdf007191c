/* From files of many sources to a table with a row for each: read piece by piece, computed in
 * batches, written as they come, gone on with after an interruption. */
#ifndef EQUANT_APP_ARCHIVE_CATALOGUE_RUN_H
#define EQUANT_APP_ARCHIVE_CATALOGUE_RUN_H

#include "options/shard.h"
#include "options/option_table.h"
#include "results/catalogue_table.h"

/* Sources of one kind. The functions return exit codes, with a sentence on failure. */
struct catalogue_kind {
    const char *noun; /* "sources" */
    size_t n_columns;
    const struct ecsv_column *columns;
    void *self; /* of the functions */
    int (*open)(void *self, const char *path);
    /* The next source of the file, of which *name says whose it is; NULL: there is none. One that
     * is wanted waits for the next batch. */
    int (*next)(void *self, bool is_wanted, const char **name);
    void (*close)(void *self);
    /* Computes those that wait, and writes their rows. */
    int (*write_batch)(void *self, struct catalogue_table *table);
    void (*say)(const void *self); /* what they are, on a line of its own */
};

struct catalogue_work {
    const char *out;
    struct text_list options; /* that rows depend on, "name=value" each */
    bool goes_on;
    size_t n_batch;
    struct shard shard;
};

int catalogue_run(const struct catalogue_kind *kind, const struct catalogue_work *work,
                  const struct file_list *files);

#endif
