#include "terminal/table.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

/* Blanks between columns, and before what does not fit into a line; characters of a line of text at
 * the end of a row. */
enum { GAP = 2, FURTHER = 4, LEAST_TEXT = 16 };

struct table table_start(const char *alignment)
{
    return (struct table){.n_columns = strlen(alignment), .alignment = alignment};
}

static char *format_cell(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *cell = n < 0 ? NULL : malloc((size_t)n + 1);
    if (cell == NULL)
        return NULL;
    vsnprintf(cell, (size_t)n + 1, format, arguments);
    char *plain = plain_text_copy(cell);
    free(cell);
    return plain;
}

void table_add(struct table *table, const char *format, ...)
{
    if (table->n_cells == table->capacity) {
        size_t capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
        char **cells = realloc(table->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            table->out_of_memory = 1;
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    va_list arguments;
    va_start(arguments, format);
    char *cell = format_cell(format, arguments);
    va_end(arguments);
    if (cell == NULL)
        table->out_of_memory = 1;
    else
        table->cells[table->n_cells++] = cell;
}

/* Characters, not bytes: UTF-8 continuation bytes take no room. */
static int display_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static int column_width(const struct table *table, size_t column)
{
    int widest = 0;
    for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        int width = display_width(table->cells[i]);
        if (width > widest)
            widest = width;
    }
    return widest;
}

/* Characters that a column needs: a text at the end goes on below where it begins. */
static int least_width(const struct table *table, const int *widths, size_t column)
{
    bool is_text = column + 1 == table->n_columns && table->alignment[column] == 'l';
    return is_text && widths[column] > LEAST_TEXT ? LEAST_TEXT : widths[column];
}

/* The end of the columns from `first` on that fit beside each other; one always does. */
static size_t find_break(const struct table *table, const int *widths, size_t first, int room)
{
    int taken = widths[first];
    size_t end = first + 1;
    while (end < table->n_columns && taken + GAP + least_width(table, widths, end) <= room)
        taken += GAP + widths[end++];
    return end;
}

/* Some columns of a row: two spaces between them, and none after the last, also when it is empty.
 */
static void print_part(const struct table *table, FILE *stream, const char *const *cells,
                       const int *widths, size_t first, size_t end, int indent)
{
    int column = indent;
    for (size_t i = first; i < end; i++) {
        int padding = widths[i] - display_width(cells[i]);
        bool is_left = table->alignment[i] == 'l', is_last = i + 1 == end;
        if (is_last && is_left && cells[i][0] == '\0')
            return;
        fprintf(stream, "%*s", i == first ? 0 : GAP, "");
        column += i == first ? 0 : GAP;
        if (is_last && is_left)
            wrapped_text_write(stream, cells[i], column);
        else if (is_left)
            fprintf(stream, "%s%*s", cells[i], padding, "");
        else
            fprintf(stream, "%*s%s", padding, "", cells[i]);
        column += widths[i];
    }
}

/* What does not fit into the lines of a terminal goes on in the next one, further to the right. */
static void print_row(const struct table *table, FILE *stream, const char *const *cells,
                      const int *widths, int indent)
{
    int width = terminal_is(stream) ? terminal_columns(stream) : INT_MAX;
    for (size_t first = 0, end; first < table->n_columns; first = end) {
        int left = first == 0 ? indent : indent + FURTHER;
        end = find_break(table, widths, first, width - left);
        fprintf(stream, "%s%*s", first == 0 ? "" : "\n", left, "");
        print_part(table, stream, cells, widths, first, end, left);
    }
}

int table_print(const struct table *table, FILE *stream, int indent)
{
    int *widths = calloc(table->n_columns, sizeof *widths);
    if (table->out_of_memory || widths == NULL) {
        free(widths);
        return messages_out_of_memory();
    }
    for (size_t column = 0; column < table->n_columns; column++)
        widths[column] = column_width(table, column);
    for (size_t first = 0; first + table->n_columns <= table->n_cells; first += table->n_columns) {
        fputs(first == 0 ? terminal_style(stream, TERMINAL_BOLD) : "", stream);
        print_row(table, stream, (const char *const *)table->cells + first, widths, indent);
        fprintf(stream, "%s\n", first == 0 ? terminal_style(stream, TERMINAL_PLAIN) : "");
    }
    free(widths);
    return EXIT_CODE_OK;
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->n_cells; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (struct table){0};
}
