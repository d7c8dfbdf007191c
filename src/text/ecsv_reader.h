/* Reads tables in ECSV as text/ecsv_writer.h writes them: names, units and descriptions of columns,
 * and all cells as text. */
#ifndef EQUANT_TEXT_ECSV_READER_H
#define EQUANT_TEXT_ECSV_READER_H

#include <stddef.h>
#include <stdint.h>

/* A column of a table; what the header does not say is "". */
struct ecsv_cells {
    const char *name, *unit, *description;
    const char **cells; /* [n_rows] */
};

struct ecsv_table {
    size_t n_columns, n_rows;
    struct ecsv_cells *columns;
};

#define ECSV_READER_NO_MEMORY SIZE_MAX

/* Cuts a text into a table, whose strings stay in it. Returns 0, the number of the line that does
 * not belong to such a table, or ECSV_READER_NO_MEMORY. Free the table in any case. */
size_t ecsv_reader_read(char *text, struct ecsv_table *table);
void ecsv_reader_free(struct ecsv_table *table);

/* The column of a name; NULL where there is none. */
const struct ecsv_cells *ecsv_reader_find(const struct ecsv_table *table, const char *name);

#endif
