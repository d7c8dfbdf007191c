/* The table of many stars, made of their records: a row for each, by name. */
#ifndef EQUANT_APP_ARCHIVE_RECORD_TABLE_H
#define EQUANT_APP_ARCHIVE_RECORD_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "archive/star_record.h"

#define RECORD_TABLE_FILE "summary.ecsv"

struct record_row {
    char *name, *text;
    enum star_status status;
};

struct record_table {
    char *header; /* of all; NULL: not known yet */
    size_t n;
    struct record_row *rows;
};

/* Takes the records of all stars in a folder, each in a folder of its own there. All must be of
 * the same options, those of the header where there is one. Returns an exit code, with a sentence
 * on failure; free the table in any case. */
int record_table_collect(struct record_table *table, const char *folder);

/* Sorts the rows by name and leaves one of each star: a fit rather than a failure. */
void record_table_sort(struct record_table *table);

/* The row of a star in a sorted table; NULL: there is none. */
const struct record_row *record_table_find(const struct record_table *table, const char *name);

/* Tables of equant, which a table may take the place of. */
extern const struct output_kind record_table_kind;

/* Replaces a table, or the one of a folder that a batch maintains. Each returns an exit code, with
 * a sentence on failure. */
int record_table_write(const struct record_table *table, const char *path);
int record_table_write_own(const struct record_table *table, const char *folder);

void record_table_free(struct record_table *table);

/* Refuses a file that is there and does not begin with this header. */
int record_table_check(const char *path, const char *header);

#endif
