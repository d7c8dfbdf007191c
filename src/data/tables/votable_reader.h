/* Tables of a VOTable, by expat: rows as elements (TABLEDATA), or as bytes in base64 (BINARY2,
 * BINARY). What fields mean, and what becomes of rows, is the matter of whoever reads. */
#ifndef EQUANT_DATA_VOTABLE_READER_H
#define EQUANT_DATA_VOTABLE_READER_H

#include <stdio.h>

#include "data/tables/votable_row.h"
#include "data/text_table.h"
#include "equant.h"

typedef struct votable_reader votable_reader;

/* What is called while a file is read. */
typedef struct votable_sink {
    void *context;
    void (*begin_table)(void *context);
    /* A field; name and unit may be NULL. Returns what it shall be called, or VOTABLE_NO_COLUMN. */
    int (*column)(void *context, const char *name, const char *unit);
    bool (*begin_rows)(void *context); /* behind the fields; false: the table is of no use */
    equant_status (*take_text)(void *context, int column, text_slice cell, size_t line);
    votable_take *take; /* of rows as bytes */
    /* A row is whole; `number` is that of its line, or of the row. */
    equant_status (*end_row)(void *context, bool is_line, size_t number);
} votable_sink;

/* True where the beginning of a file is that of a VOTable. */
bool votable_reader_is(const char *head, size_t n_bytes);

/* Takes the stream, also where it fails; `path` for messages and `sink` outlive the reader. Without
 * expat EQUANT_ERROR_UNAVAILABLE. */
equant_status votable_reader_open(FILE *stream, const char *path, const votable_sink *sink,
                                  votable_reader **reader);

/* Reads on. */
equant_status votable_reader_step(votable_reader *reader, bool *is_at_end);

void votable_reader_close(votable_reader *reader);

#endif
