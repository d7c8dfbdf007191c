/* Text as lines, and lines as cells, without copying: everything is a slice of
 * the text that was read. Knows nothing of velocities. */
#ifndef EQUANT_DATA_TEXT_TABLE_H
#define EQUANT_DATA_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* More columns than this are refused: no table of velocities has them. */
#define TEXT_MAX_CELLS 1024

typedef struct text_slice {
    const char *start;
    size_t n;
} text_slice;

/* A place in a text, from which the next line is taken. */
typedef struct text_lines {
    const char *next, *end;
    size_t number; /* of the line taken last, counted from 1 */
} text_lines;

typedef enum text_delimiter {
    TEXT_WHITESPACE, /* any run of blanks and tabs */
    TEXT_TAB,
    TEXT_COMMA,
    TEXT_SEMICOLON
} text_delimiter;

/* Starts at the first line; a byte order mark is stepped over. */
text_lines text_lines_begin(const char *text, size_t n_bytes);

/* The next line without its end (\n, \r\n or \r); false when there is none. */
bool text_lines_next(text_lines *lines, text_slice *line);

/* The first line that is neither empty nor a comment, which '#' begins, trimmed, and what the last
 * comment before it says: one of the two may be headings. `comment` has a start of NULL where there
 * is none; `before` is the place in front of the line. */
bool text_lines_head(text_lines *lines, text_slice *first, text_slice *comment, text_lines *before);

text_slice text_trim(text_slice slice);

/* True for equal text, capitals or not; `word` is in small letters. */
bool text_is_word(text_slice slice, const char *word);

/* True when slice begins with `word`, capitals or not. */
bool text_begins_with(text_slice slice, const char *word);

/* Number of bytes `character` in a slice. */
size_t text_count(text_slice slice, char character);

/* Splits a line; returns the number of cells, of which the first `capacity`
 * are stored. Cells are trimmed; quotes around a cell protect the delimiter
 * and are taken off. */
size_t text_cells(text_slice line, text_delimiter delimiter, text_slice *cells, size_t capacity);

/* The same for a line of column names: brackets protect blanks, and a bracket
 * that stands alone belongs to the name before it, as in "rv (km / s)". */
size_t text_names(text_slice line, text_delimiter delimiter, text_slice *names, size_t capacity);

/* Copies a slice for showing it to a person: cut to fit, with anything that is
 * not printable UTF-8 replaced by '?'. Returns `buffer`. */
const char *text_show(text_slice slice, char *buffer, size_t n_buffer);

#endif
