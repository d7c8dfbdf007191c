/* A table of numbers in memory, and as an ECSV file of a folder. */
#ifndef EQUANT_APP_SKY_NUMBER_TABLE_H
#define EQUANT_APP_SKY_NUMBER_TABLE_H

#include <stddef.h>

#include "text/ecsv_writer.h"
#include "files/output_check.h"

enum { NUMBER_TABLE_MOST_COLUMNS = 10 };

struct number_table {
    size_t n_rows, n_columns;
    double *column[NUMBER_TABLE_MOST_COLUMNS]; /* [n_rows] each, one piece of memory */
};

/* Returns an exit code, with a sentence on failure; free it in any case. */
int number_table_create(size_t n_rows, size_t n_columns, struct number_table *table);
void number_table_free(struct number_table *table);

/* FOLDER/NAME, one of `members`, with these headings, [n_columns], and numbers about the whole of
 * it. */
int number_table_write(const struct number_table *table, const char *folder, const char *name,
                       const struct output_member *members, const struct ecsv_column *headings,
                       size_t n_notes, const struct ecsv_note *notes);

/* What number_table_write wrote. A file that is not there is a table without rows. */
int number_table_read(const char *folder, const char *name, size_t n_columns,
                      struct number_table *table);

/* A number about the whole table, by its name; NaN where there is none. */
double number_table_note(const char *folder, const char *name, const char *note);

#endif
