/* Files of transit times: planet, number, time, error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/nbody/observed_transits.h"
#include "core/status_fail.h"
#include "data/tables/table_stream.h"
#include "data/text_file.h"
#include "data/text_number.h"
#include "data/text_table.h"
#include "platform/system_file.h"
#include "platform/system_stream.h"

enum { BEGINNING = 4096 };
enum { PLANET, NUMBER, TIME, ERROR, N_COLUMNS, MOST_CELLS = 64 };
static const char *const column_names[N_COLUMNS] = {"planet", "number", "time", "error"};
#define LARGEST_NUMBER 1e7

/* Words for a column, the first as sentences have them. */
static const char *const words[N_COLUMNS][8] = {
    {"planet", "body", "pl"},
    {"number", "n", "epoch", "transit", "transit_number", "tt_number", "num"},
    {"time", "t", "t0", "tc", "tt", "bjd", "time_days", "mid_time"},
    {"error", "uncertainty", "sigma", "err", "e_time", "time_err", "error_days", "time_days_err"}};

typedef struct transit_columns {
    text_delimiter delimiter;
    size_t at[N_COLUMNS];
    bool has_heading;
} transit_columns;

typedef struct transit_lists {
    size_t n, room, *line;
    int *label, *number;
    double *time, *error;
} transit_lists;

static text_delimiter delimiter_of(text_slice line)
{
    if (text_count(line, ',') > 0)
        return TEXT_COMMA;
    if (text_count(line, ';') > 0)
        return TEXT_SEMICOLON;
    return text_count(line, '\t') > 0 ? TEXT_TAB : TEXT_WHITESPACE;
}

static bool is_column(text_slice cell, int column)
{
    for (size_t i = 0; i < sizeof words[0] / sizeof words[0][0] && words[column][i]; i++)
        if (text_is_word(cell, words[column][i]))
            return true;
    return false;
}

/* True where the line names all four columns. */
static bool read_heading(text_slice line, transit_columns *made)
{
    text_slice cells[MOST_CELLS];
    made->delimiter = delimiter_of(line);
    size_t n = text_cells(line, made->delimiter, cells, MOST_CELLS), n_found = 0;
    n = n < MOST_CELLS ? n : MOST_CELLS;
    for (int column = 0; column < N_COLUMNS; column++)
        for (size_t i = n; i-- > 0;)
            if (is_column(cells[i], column)) {
                made->at[column] = i;
                n_found += (size_t)1 << column;
            }
    made->has_heading = n_found == ((size_t)1 << N_COLUMNS) - 1;
    return made->has_heading;
}

/* Where no line names columns they are planet, number, time, error. */
static transit_columns find_columns(const char *text, size_t n_bytes, text_lines *rows)
{
    transit_columns made = {.has_heading = false};
    text_slice first, comment;
    text_lines lines = text_lines_begin(text, n_bytes);
    *rows = lines;
    if (!text_lines_head(&lines, &first, &comment, rows))
        return made;
    if (read_heading(first, &made)) {
        *rows = lines;
        return made;
    }
    if (comment.start && read_heading(comment, &made))
        return made;
    made = (transit_columns){.delimiter = delimiter_of(first), .at = {0, 1, 2, 3}};
    return made;
}

static bool read_label(text_slice cell, int *label)
{
    char c = cell.n == 1 ? cell.start[0] : '\0';
    double number;
    if (c >= 'A' && c <= 'Z')
        c = (char)(c - 'A' + 'a');
    *label = c - 'a';
    if (c >= 'b' && c <= 'z')
        return true;
    bool is_number = text_number_read(cell, &number) && number == rint(number) && number >= 1.0 &&
                     number <= 25.0;
    *label = is_number ? (int)number : 0;
    return is_number;
}

static equant_status grow(transit_lists *own)
{
    if (own->n < own->room)
        return EQUANT_SUCCESS;
    size_t room = 2 * own->room + 64;
    void *made;
    own->room = room;
#define GROW(list)                                                                                 \
    made = realloc(own->list, room * sizeof *own->list);                                           \
    if (!made)                                                                                     \
        return status_out_of_memory();                                                             \
    own->list = made
    GROW(line);
    GROW(label);
    GROW(number);
    GROW(time);
    GROW(error);
#undef GROW
    return EQUANT_SUCCESS;
}

static equant_status read_row(const char *path, size_t line, text_slice text,
                              const transit_columns *columns, transit_lists *into)
{
    text_slice cells[MOST_CELLS];
    char shown[80];
    double values[N_COLUMNS] = {0.0};
    int label = 0;
    size_t n = text_cells(text, columns->delimiter, cells, MOST_CELLS);
    for (int column = 0; column < N_COLUMNS; column++) {
        size_t at = columns->at[column];
        if (at >= n || at >= MOST_CELLS)
            return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: the line has no %s of a transit", path,
                               line, column_names[column]);
        bool is_read = column == PLANET ? read_label(cells[at], &label)
                                        : text_number_read(cells[at], &values[column]);
        if (column == NUMBER && is_read)
            is_read =
                values[NUMBER] == rint(values[NUMBER]) && fabs(values[NUMBER]) < LARGEST_NUMBER;
        if (!is_read)
            return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: \"%s\" is no %s of a transit", path,
                               line, text_show(cells[at], shown, sizeof shown),
                               column_names[column]);
    }
    equant_status status = grow(into);
    if (status != EQUANT_SUCCESS)
        return status;
    into->line[into->n] = line;
    into->label[into->n] = label;
    into->number[into->n] = (int)values[NUMBER];
    into->time[into->n] = values[TIME];
    into->error[into->n++] = values[ERROR];
    return EQUANT_SUCCESS;
}

static equant_status read_rows(const char *path, const char *text, size_t n_bytes,
                               transit_lists *into)
{
    text_lines rows;
    text_slice line;
    const transit_columns columns = find_columns(text, n_bytes, &rows);
    equant_status status = EQUANT_SUCCESS;
    while (status == EQUANT_SUCCESS && text_lines_next(&rows, &line)) {
        line = text_trim(line);
        if (line.n > 0 && line.start[0] != '#')
            status = read_row(path, rows.number, line, &columns, into);
    }
    if (status == EQUANT_SUCCESS && into->n == 0)
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: there is no transit in this file", path);
    return status;
}

static equant_status read_text(const char *path, char **text, size_t *n_bytes)
{
    equant_status status = table_stream_read(NULL, path, text, n_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    status = text_file_check(*text, *n_bytes, path);
    if (status != EQUANT_SUCCESS) {
        free(*text);
        *text = NULL;
    }
    return status;
}

equant_status equant_transits_from_file(const char *path, equant_transits **out)
{
    if (!path || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "transits need a file and a place to put them");
    char *text = NULL;
    size_t n_bytes = 0;
    transit_lists lists = {.n = 0};
    equant_status status = read_text(path, &text, &n_bytes);
    if (status == EQUANT_SUCCESS)
        status = read_rows(path, text, n_bytes, &lists);
    if (status == EQUANT_SUCCESS)
        status = observed_transits_create(lists.n, lists.label, lists.number, lists.time,
                                          lists.error, lists.line, path, out);
    free(lists.line);
    free(lists.label);
    free(lists.number);
    free(lists.time);
    free(lists.error);
    free(text);
    return status;
}

/* The beginning tells: files may be large, and pipes are read once. */
int equant_transits_is_file(const char *path)
{
    char text[BEGINNING];
    system_file_facts about;
    text_lines rows;
    if (!path || !system_file_find(path, &about) || !about.is_regular)
        return 0;
    FILE *file = system_stream_open(path, "rb");
    size_t n = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    return n > 0 && find_columns(text, n, &rows).has_heading;
}
