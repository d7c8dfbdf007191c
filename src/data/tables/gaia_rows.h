/* The rows of a table of Gaia, whichever file it is in: csv, ECSV, VOTable or FITS, compressed or
 * in an archive; cells are asked for by what they mean (gaia_names.h). */
#ifndef EQUANT_DATA_GAIA_ROWS_H
#define EQUANT_DATA_GAIA_ROWS_H

#include <stdint.h>

#include "data/tables/gaia_names.h"
#include "equant.h"

typedef struct gaia_rows gaia_rows;

/* Opens a table whose headings have at least the words [n_needed]; the sentence names one that is
 * missing. Columns that mean nothing here are passed over. */
equant_status gaia_rows_open(const char *path, gaia_table table, size_t n_needed,
                             const gaia_word *needed, gaia_rows **rows);
void gaia_rows_close(gaia_rows *rows);

/* Goes to the next row, through all files of a folder or an archive; *is_there is false behind the
 * last one. Fails where a cell of the row before was asked for as what it is not. */
equant_status gaia_rows_next(gaia_rows *rows, bool *is_there);

/* The cell of a row, valid until the next one; empty where there is none, or no value. */
text_slice gaia_rows_cell(const gaia_rows *rows, gaia_word word);

/* NaN where there is no value; another text fails the next row. */
double gaia_rows_number(gaia_rows *rows, gaia_word word);

/* 1, 0, or -1 where there is no value: of words like true and of numbers; another text fails the
 * next row. */
int gaia_rows_flag(gaia_rows *rows, gaia_word word);

/* Whether the table has the column. */
bool gaia_rows_has(const gaia_rows *rows, gaia_word word);

/* A number of a source, 0 where there is none. One that has lost its digits is refused. */
equant_status gaia_rows_id(const gaia_rows *rows, gaia_word word, int64_t *id);

/* What stands in brackets behind the heading of a column, without them; "" where nothing does. */
const char *gaia_rows_unit(const gaia_rows *rows, gaia_word word);

/* The next row fails, as the text is not `what` ("no number"), but stands in the column. */
void gaia_rows_refuse(gaia_rows *rows, gaia_word word, text_slice text, const char *what);

/* "FILE:LINE", for sentences. */
const char *gaia_rows_place(const gaia_rows *rows);

#endif
