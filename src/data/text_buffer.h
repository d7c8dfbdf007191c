/* A text that grows at its end. */
#ifndef EQUANT_DATA_TEXT_BUFFER_H
#define EQUANT_DATA_TEXT_BUFFER_H

#include <stdbool.h>

#include "data/text_table.h"

/* Zero-initialise. */
typedef struct text_buffer {
    char *text;
    size_t n, capacity;
    bool has_failed; /* memory ran out; nothing is added any more */
} text_buffer;

void text_buffer_add(text_buffer *buffer, text_slice piece);
void text_buffer_add_word(text_buffer *buffer, const char *word);

/* Cells with tabs between them and a line's end behind; tabs within a cell become blanks. */
void text_buffer_add_row(text_buffer *buffer, const text_slice *cells, size_t n);

/* "name [unit]" for each column, as a row of headings; units may be empty. */
void text_buffer_add_headings(text_buffer *buffer, const text_slice *names, const text_slice *units,
                              size_t n);

void text_buffer_free(text_buffer *buffer);

#endif
