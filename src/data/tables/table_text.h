/* A table whose cells are numbers, written as lines of text: a row of headings and one for each
 * row, with tabs between the cells. Numbers have as few digits as give them back, those of single
 * precision as few as give these back, so that a table is the same text whatever file it comes
 * from. Arrays stand in brackets, "(1,2.5)". */
#ifndef EQUANT_DATA_TABLE_TEXT_H
#define EQUANT_DATA_TABLE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "data/text_buffer.h"

/* Zero-initialise. */
typedef struct table_text {
    text_buffer lines;    /* what has been written */
    text_buffer headings; /* of the table that begins */
    size_t n_columns, n_cells;
    bool has_velocities; /* one of the headings is that of velocities */
    bool has_table;      /* a table has been taken */
    bool takes_any;      /* set before it begins: velocities are not asked for */
} table_text;

void table_text_begin(table_text *table);
void table_text_column(table_text *table, const char *name, const char *unit);

/* Behind the columns: whether the rows are wanted. They are those of the first table that has
 * velocities, or with takes_any of the first table. */
bool table_text_accept(table_text *table);

void table_text_begin_cell(table_text *table);
void table_text_word(table_text *table, text_slice word);
void table_text_real(table_text *table, double value, bool is_single);
void table_text_whole(table_text *table, int64_t value);

/* In front of value i of an array of n, and behind the last with i = n; a single value is no array.
 */
void table_text_between(table_text *table, size_t i, size_t n);

void table_text_end_row(table_text *table);
void table_text_free(table_text *table);

#endif
