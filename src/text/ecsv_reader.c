#include "text/ecsv_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a text, and where it stands. */
struct ecsv_lines {
    char *next;
    size_t number; /* of the line that was taken last, from 1 */
};

/* The next line without its end; NULL behind the last one. */
static char *take_line(struct ecsv_lines *lines)
{
    char *line = lines->next;
    if (line[0] == '\0')
        return NULL;
    size_t n = strcspn(line, "\n");
    lines->next = line + n + (line[n] == '\n');
    line[n] = '\0';
    if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = '\0';
    lines->number++;
    return line;
}

/* A quoted text, its doubled quotes made single, in its own place; *at moves behind it. NULL where
 * it does not end. */
static char *take_quoted(char **at, char quote)
{
    char *begin = *at + 1, *to = begin;
    for (char *from = begin; *from; from++) {
        if (*from == quote && from[1] != quote) {
            *at = from + 1;
            *to = '\0';
            return begin;
        }
        from += *from == quote;
        *to++ = *from;
    }
    return NULL;
}

/* A cell, and what stands behind it in *at: a comma or the end of the line. NULL where neither
 * does. */
static char *take_cell(char **at, bool *is_last)
{
    char *cell = **at == '"' ? take_quoted(at, '"') : *at;
    if (!cell)
        return NULL;
    char *end = *at + (cell == *at ? strcspn(*at, ",") : 0);
    *is_last = *end == '\0';
    if (*end != ',' && !*is_last)
        return NULL;
    *end = '\0';
    *at = end + !*is_last;
    return cell;
}

/* The value of a key of a column's line in the header, such as "unit: m / s, " or "description:
 * 'of it'"; "" where it has none. */
static const char *value_of(char *line, const char *key)
{
    char *found = strstr(line, key);
    if (!found)
        return "";
    char *at = found + strlen(key);
    *found = '\0'; /* what is asked for next stands before */
    if (*at == '\'') {
        char *text = take_quoted(&at, '\'');
        return text ? text : "";
    }
    at[strcspn(at, ",}")] = '\0';
    return at;
}

/* A column more, from its line of the header. */
static bool describe(struct ecsv_table *table, char *line)
{
    struct ecsv_cells *grown =
        realloc(table->columns, (table->n_columns + 1) * sizeof *table->columns);
    if (!grown)
        return false;
    table->columns = grown;
    struct ecsv_cells *own = &grown[table->n_columns++];
    *own = (struct ecsv_cells){.cells = NULL};
    own->description = value_of(line, ", description: ");
    own->unit = value_of(line, ", unit: ");
    own->name = value_of(line, "{name: ");
    return true;
}

/* The lines of the header, and the first one behind it. */
static bool take_header(struct ecsv_lines *lines, struct ecsv_table *table, char **names)
{
    char *line = take_line(lines);
    for (; line && line[0] == '#'; line = take_line(lines))
        if (strstr(line, "{name: ") && !describe(table, line))
            return false;
    *names = line;
    return true;
}

/* Whether the line of names says what the header does. */
static bool names_agree(const struct ecsv_table *table, char *at)
{
    bool is_last = false;
    size_t n = 0;
    while (!is_last) {
        char *name = take_cell(&at, &is_last);
        if (!name || n == table->n_columns || strcmp(name, table->columns[n].name) != 0)
            return false;
        n++;
    }
    return n == table->n_columns;
}

static bool make_room(struct ecsv_table *table)
{
    if ((table->n_rows & (table->n_rows - 1)) != 0)
        return true; /* there is room for a power of two of them */
    size_t room = table->n_rows == 0 ? 1 : 2 * table->n_rows;
    for (size_t i = 0; i < table->n_columns; i++) {
        const char **grown = realloc(table->columns[i].cells, room * sizeof *grown);
        if (!grown)
            return false;
        table->columns[i].cells = grown;
    }
    return true;
}

static bool take_row(struct ecsv_table *table, char *at)
{
    bool is_last = false;
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *cell = is_last ? NULL : take_cell(&at, &is_last);
        if (!cell)
            return false;
        table->columns[i].cells[table->n_rows] = cell;
    }
    return is_last;
}

size_t ecsv_reader_read(char *text, struct ecsv_table *table)
{
    struct ecsv_lines lines = {.next = text};
    char *line;
    *table = (struct ecsv_table){.columns = NULL};
    if (!take_header(&lines, table, &line))
        return ECSV_READER_NO_MEMORY;
    if (!line || table->n_columns == 0 || !names_agree(table, line))
        return lines.number + (lines.number == 0);
    while ((line = take_line(&lines))) {
        if (!make_room(table))
            return ECSV_READER_NO_MEMORY;
        if (!take_row(table, line))
            return lines.number;
        table->n_rows++;
    }
    return 0;
}

void ecsv_reader_free(struct ecsv_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        free(table->columns[i].cells);
    free(table->columns);
    *table = (struct ecsv_table){.columns = NULL};
}

const struct ecsv_cells *ecsv_reader_find(const struct ecsv_table *table, const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return &table->columns[i];
    return NULL;
}
