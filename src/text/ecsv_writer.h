/* Writes tables in ECSV (a CSV with names, types and units in its header), which
 * astropy.table and `equant data` read, and anything that reads CSV with comments. */
#ifndef EQUANT_TEXT_ECSV_WRITER_H
#define EQUANT_TEXT_ECSV_WRITER_H

#include <stddef.h>
#include <stdio.h>

enum ecsv_type { ECSV_NUMBER, ECSV_INTEGER, ECSV_TEXT, ECSV_NUMBERS /* a list in one cell */ };

struct ecsv_column {
    const char *name;
    enum ecsv_type type;
    const char *unit;        /* as astropy spells it, e.g. "m / s"; NULL: none */
    const char *description; /* NULL: none                                     */
};

/* Something to know about the whole table: a text, or a number where text is NULL. */
struct ecsv_note {
    const char *name;
    const char *text;
    double number;
};

struct ecsv_writer {
    FILE *stream;
    size_t n_columns, column; /* the next cell's; rows end by themselves */
};

/* Writes the header. The arrays are needed no longer afterwards. */
struct ecsv_writer ecsv_writer_start(FILE *stream, size_t n_columns,
                                     const struct ecsv_column *columns, size_t n_notes,
                                     const struct ecsv_note *notes);

/* The cells of a row, one call each, in the order of the columns. */
void ecsv_writer_number(struct ecsv_writer *writer, double value);
void ecsv_writer_integer(struct ecsv_writer *writer, long long value);
void ecsv_writer_text(struct ecsv_writer *writer, const char *text);
void ecsv_writer_numbers(struct ecsv_writer *writer, size_t n, const double *values);

#endif
