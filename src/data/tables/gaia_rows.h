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
 * last one. */
equant_status gaia_rows_next(gaia_rows *rows, bool *is_there);

/* The cell of a row, valid until the next one; empty where there is none, or no value. */
text_slice gaia_rows_cell(const gaia_rows *rows, gaia_word word);

/* NaN where there is no number. */
double gaia_rows_number(const gaia_rows *rows, gaia_word word);

/* 1, 0, or -1 where there is neither: of words like true and of whole numbers. */
int gaia_rows_flag(const gaia_rows *rows, gaia_word word);

/* A number of a source, 0 where there is none. One that has lost its digits is refused. */
equant_status gaia_rows_id(const gaia_rows *rows, gaia_word word, int64_t *id);

/* "FILE:LINE", for sentences. */
const char *gaia_rows_place(const gaia_rows *rows);

#endif
