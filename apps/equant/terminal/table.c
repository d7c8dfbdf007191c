#include "terminal/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/terminal.h"

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

/* Two spaces between columns, and none after the last, also when it is empty. */
static void print_row(const struct table *table, FILE *stream, size_t first, const int *widths)
{
    for (size_t column = 0; column < table->n_columns; column++) {
        const char *cell = table->cells[first + column];
        int padding = widths[column] - display_width(cell);
        int is_left = table->alignment[column] == 'l', is_last = column + 1 == table->n_columns;
        if (is_last && is_left && cell[0] == '\0')
            return;
        fputs(column == 0 ? "" : "  ", stream);
        if (is_left)
            fprintf(stream, "%s%*s", cell, is_last ? 0 : padding, "");
        else
            fprintf(stream, "%*s%s", padding, "", cell);
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
        fprintf(stream, "%*s%s", indent, "",
                first == 0 ? terminal_style(stream, TERMINAL_BOLD) : "");
        print_row(table, stream, first, widths);
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
