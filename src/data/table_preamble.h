/* What stands above the rows of a table: comments, names of columns, a rule. */
#ifndef EQUANT_DATA_TABLE_PREAMBLE_H
#define EQUANT_DATA_TABLE_PREAMBLE_H

#include <stdbool.h>

#include "data/text_table.h"
#include "equant.h"

typedef struct table_preamble {
    bool is_ecsv;
    bool is_systemic;       /* comments like "# value_units = M/S" */
    text_slice value_units; /* of the comments; empty where absent */
    text_slice telescope, instrument;
    text_slice header; /* the line of column names; empty where absent */
    size_t header_line;
    bool has_rule; /* a line of dashes or of column types, as in rdb */
    text_slice first_row;
    size_t first_row_line;
    text_lines comments; /* from the first line of the text ... */
    text_lines rows;     /* ... and from the first row on */
} table_preamble;

/* True for lines without data: blank ones and comments. */
bool table_preamble_is_comment(text_slice line);

/* The text of a comment line, without its mark. */
text_slice table_preamble_comment(text_slice line);

/* The delimiter a single line suggests: comma, semicolon or blanks. */
text_delimiter table_preamble_delimiter(text_slice line);

/* A line without the comment behind its data; with `delimiter` other than
 * blanks, a '#' belongs to the cell it stands in. */
text_slice table_preamble_without_comment(text_slice line, text_delimiter delimiter);

/* The cells of a row, as text_cells gives them, without a comment behind them. */
size_t table_preamble_cells(text_slice row, text_delimiter delimiter, text_slice *cells,
                            size_t capacity);

/* True for a line of names: one number makes a line a row, if a bad one. */
bool table_preamble_is_header(text_slice line);

/* True for a line of dashes. */
bool table_preamble_is_rule(text_slice line);

/* Fails on a text without rows. `name` is the file's, for the sentence. */
equant_status table_preamble_read(const char *text, size_t n_bytes, const char *name,
                                  table_preamble *preamble);

#endif
