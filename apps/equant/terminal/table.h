/* A table for people: columns as wide as their widest cell, numbers to the
 * right. Cells are kept until it is printed, so it is for tens of rows. */
#ifndef EQUANT_APP_TERMINAL_TABLE_H
#define EQUANT_APP_TERMINAL_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct table {
    size_t n_columns;
    const char *alignment; /* one letter a column: 'l' or 'r'               */
    char **cells;          /* row by row, the first row being the headers   */
    size_t n_cells, capacity;
    int out_of_memory; /* remembered here; table_print reports it           */
};

/* `alignment`, e.g. "lrr", tells how many columns there are and must outlive
 * the table. Add the headers first, then the cells row by row. */
struct table table_start(const char *alignment);

__attribute__((format(printf, 2, 3))) void table_add(struct table *table, const char *format, ...);

/* Prints the table with `indent` spaces before each row. Returns EXIT_CODE_OK,
 * or EXIT_CODE_FAILED with a sentence when a cell could not be kept. */
int table_print(const struct table *table, FILE *stream, int indent);

void table_free(struct table *table);

#endif
