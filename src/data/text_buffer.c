#include "data/text_buffer.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(text_buffer *buffer, size_t n_more)
{
    if (buffer->has_failed || n_more <= buffer->capacity - buffer->n)
        return !buffer->has_failed;
    size_t capacity = 2 * buffer->capacity + n_more + 256;
    char *grown = realloc(buffer->text, capacity);
    if (grown == NULL) {
        buffer->has_failed = true;
        return false;
    }
    buffer->text = grown;
    buffer->capacity = capacity;
    return true;
}

void text_buffer_add(text_buffer *buffer, text_slice piece)
{
    if (piece.n == 0 || !reserve(buffer, piece.n))
        return;
    memcpy(buffer->text + buffer->n, piece.start, piece.n);
    buffer->n += piece.n;
}

void text_buffer_add_word(text_buffer *buffer, const char *word)
{
    text_buffer_add(buffer, (text_slice){word, strlen(word)});
}

static void add_cell(text_buffer *buffer, text_slice cell)
{
    size_t start = buffer->n;
    text_buffer_add(buffer, cell);
    for (size_t i = start; i < buffer->n; i++)
        if (buffer->text[i] == '\t')
            buffer->text[i] = ' ';
}

void text_buffer_add_row(text_buffer *buffer, const text_slice *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            text_buffer_add_word(buffer, "\t");
        add_cell(buffer, cells[i]);
    }
    text_buffer_add_word(buffer, "\n");
}

void text_buffer_add_headings(text_buffer *buffer, const text_slice *names, const text_slice *units,
                              size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            text_buffer_add_word(buffer, "\t");
        add_cell(buffer, names[i]);
        if (units[i].n == 0)
            continue;
        text_buffer_add_word(buffer, " [");
        add_cell(buffer, units[i]);
        text_buffer_add_word(buffer, "]");
    }
    text_buffer_add_word(buffer, "\n");
}

void text_buffer_free(text_buffer *buffer)
{
    free(buffer->text);
    *buffer = (text_buffer){0};
}
