/* The table of `equant catalogue`: a row a source, written as they come, so that what is there can
 * be gone on with. */
#ifndef EQUANT_APP_RESULTS_CATALOGUE_TABLE_H
#define EQUANT_APP_RESULTS_CATALOGUE_TABLE_H

#include <stdbool.h>

#include "text/ecsv_writer.h"
#include "files/row_file.h"
#include "terminal/text_list.h"

struct catalogue_table {
    struct row_file file;
    const char *path;
    size_t n_columns;
    const struct ecsv_column *columns; /* the first says whose the row is */
    size_t n_done;                     /* rows that were there */
    char **names;                      /* [n_done]: whose they are */
};

/* Opens a table, CSV or by its ending ECSV. With `goes_on` one that is there is kept, but for a
 * last line that is not whole, if its rows depend on the same options; else one that is there is a
 * failure. Another program may not write to it meanwhile. Returns an exit code, with a sentence on
 * failure; path and columns must outlive it. */
int catalogue_table_open(struct catalogue_table *table, const char *path, bool goes_on,
                         const struct text_list *options, size_t n_columns,
                         const struct ecsv_column *columns);

/* False where row `number` of those that were there is not of this source. */
bool catalogue_table_has(const struct catalogue_table *table, size_t number, const char *name);

/* Cells of a row: the first, one behind another, the end. A number that is none leaves its cell
 * empty. */
void catalogue_table_start_row(struct catalogue_table *table, const char *name);
void catalogue_table_number(struct catalogue_table *table, double value);
void catalogue_table_count(struct catalogue_table *table, size_t n);
void catalogue_table_text(struct catalogue_table *table, const char *text);
/* Words behind commas, which part cells: semicolons stand there instead, without blanks. */
void catalogue_table_words(struct catalogue_table *table, const char *words);
void catalogue_table_end_row(struct catalogue_table *table);

/* Sees to it that all rows are on the disk. An exit code. */
int catalogue_table_flush(struct catalogue_table *table);

/* With an exit code, which it hands on unless closing fails. */
int catalogue_table_close(struct catalogue_table *table, int code);

#endif
