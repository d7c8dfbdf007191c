#include "data/tables/gaia_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/file_walk.h"
#include "core/files/input_stream.h"
#include "core/status_fail.h"
#include "data/table_preamble.h"
#include "data/tables/table_stream.h"
#include "data/text_array.h"
#include "data/text_number.h"
#include "platform/system_stream.h"

enum {
    PLACE_LENGTH = 300,
    FAILURE_LENGTH = 480,
    UNIT_LENGTH = 24,
    TEXT_LENGTH = 40,
    MOST_DIGITS = 19
};

struct gaia_rows {
    gaia_table table;
    size_t n_needed;
    gaia_word needed[GAIA_N_WORDS];
    file_walk *walk;
    const char *path; /* the walk's */
    FILE *file;
    text_delimiter delimiter;
    size_t n_columns, at[GAIA_N_WORDS]; /* n_columns: there is no such column */
    char units[GAIA_N_WORDS][UNIT_LENGTH];
    char *line;
    size_t capacity, number;
    text_slice cells[TEXT_MAX_CELLS];
    char place[PLACE_LENGTH], failure[FAILURE_LENGTH]; /* the first of the row */
};

/* ---- lines ---------------------------------------------------------------------------------- */

/* The next line that is no comment; *line has no start behind the last one. */
static equant_status read_line(gaia_rows *rows, text_slice *line)
{
    for (;;) {
        errno = 0;
        ssize_t n = system_stream_line(&rows->line, &rows->capacity, rows->file);
        if (n < 0 && errno == ENOMEM)
            return status_out_of_memory();
        if (n < 0 && ferror(rows->file))
            return input_stream_fail(rows->path, errno);
        *line = (text_slice){NULL, 0};
        if (n < 0)
            return EQUANT_SUCCESS;
        rows->number++;
        *line = text_trim((text_slice){rows->line, strcspn(rows->line, "\r\n")});
        if (!table_preamble_is_comment(*line))
            return EQUANT_SUCCESS;
    }
}

static text_delimiter delimiter_of(text_slice line)
{
    text_delimiter found = table_preamble_delimiter(line);
    return found == TEXT_WHITESPACE && text_count(line, '\t') > 0 ? TEXT_TAB : found;
}

bool gaia_rows_has(const gaia_rows *rows, gaia_word word)
{
    return rows->at[word] < rows->n_columns;
}

/* ---- headings ------------------------------------------------------------------------------- */

static equant_status check_needed(const gaia_rows *rows)
{
    for (size_t i = 0; i < rows->n_needed; i++)
        if (!gaia_rows_has(rows, rows->needed[i]))
            return status_fail(EQUANT_ERROR_FORMAT, "%s: there is no column %s", rows->path,
                               gaia_word_name(rows->needed[i]));
    return EQUANT_SUCCESS;
}

/* Takes "[km/s]" off a heading. */
static text_slice split_unit(text_slice *name)
{
    const char *bracket = name->n > 0 ? memchr(name->start, '[', name->n) : NULL;
    if (bracket == NULL)
        return (text_slice){"", 0};
    size_t n = (size_t)(bracket - name->start), end = name->n;
    text_slice unit = {bracket + 1, end - n - 1};
    unit.n -= unit.n > 0 && unit.start[unit.n - 1] == ']';
    *name = text_trim((text_slice){name->start, n});
    return unit;
}

static equant_status read_headings(gaia_rows *rows)
{
    text_slice line;
    rows->number = 0;
    equant_status status = read_line(rows, &line);
    if (status != EQUANT_SUCCESS)
        return status;
    if (line.start == NULL)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: the file is empty", rows->path);
    rows->delimiter = delimiter_of(line);
    rows->n_columns = text_names(line, rows->delimiter, rows->cells, TEXT_MAX_CELLS);
    if (rows->n_columns > TEXT_MAX_CELLS)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: %zu columns; a table has %d at most",
                           rows->path, rows->n_columns, TEXT_MAX_CELLS);
    for (size_t i = 0; i < GAIA_N_WORDS; i++)
        rows->at[i] = rows->n_columns;
    for (size_t i = rows->n_columns; i-- > 0;) {
        text_slice name = rows->cells[i];
        text_slice unit = split_unit(&name);
        gaia_word word = gaia_word_of(rows->table, name);
        if (word == GAIA_N_WORDS)
            continue;
        rows->at[word] = i;
        text_show(unit, rows->units[word], sizeof rows->units[word]);
    }
    return check_needed(rows);
}

static equant_status open_next_file(gaia_rows *rows)
{
    zip_archive *archive;
    if (rows->file != NULL)
        fclose(rows->file);
    rows->file = NULL;
    equant_status status = file_walk_next(rows->walk, &rows->path, &archive);
    if (status != EQUANT_SUCCESS || rows->path == NULL)
        return status;
    status = table_stream_open_any(archive, rows->path, &rows->file);
    return status == EQUANT_SUCCESS ? read_headings(rows) : status;
}

/* ---- rows ----------------------------------------------------------------------------------- */

equant_status gaia_rows_open(const char *path, gaia_table table, size_t n_needed,
                             const gaia_word *needed, gaia_rows **rows)
{
    gaia_rows *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    made->table = table;
    made->n_needed = n_needed;
    memcpy(made->needed, needed, n_needed * sizeof *needed);
    equant_status status = file_walk_open(path, &made->walk);
    if (status == EQUANT_SUCCESS)
        status = open_next_file(made);
    if (status == EQUANT_SUCCESS)
        *rows = made;
    else
        gaia_rows_close(made);
    return status;
}

void gaia_rows_close(gaia_rows *rows)
{
    if (rows == NULL)
        return;
    if (rows->file != NULL)
        fclose(rows->file);
    file_walk_close(rows->walk);
    free(rows->line);
    free(rows);
}

equant_status gaia_rows_next(gaia_rows *rows, bool *is_there)
{
    text_slice line = {NULL, 0};
    equant_status status = EQUANT_SUCCESS;
    if (rows->failure[0] != '\0')
        return status_fail(EQUANT_ERROR_FORMAT, "%s", rows->failure);
    while (status == EQUANT_SUCCESS && rows->path != NULL && line.start == NULL) {
        status = read_line(rows, &line);
        if (status == EQUANT_SUCCESS && line.start == NULL)
            status = open_next_file(rows);
    }
    *is_there = line.start != NULL;
    if (status != EQUANT_SUCCESS || !*is_there)
        return status;
    size_t n = text_cells(line, rows->delimiter, rows->cells, TEXT_MAX_CELLS);
    snprintf(rows->place, sizeof rows->place, "%s:%zu", rows->path, rows->number);
    if (n != rows->n_columns)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: this row has %zu cells where %zu belong",
                           rows->place, n, rows->n_columns);
    return EQUANT_SUCCESS;
}

const char *gaia_rows_unit(const gaia_rows *rows, gaia_word word)
{
    return gaia_rows_has(rows, word) ? rows->units[word] : "";
}

const char *gaia_rows_place(const gaia_rows *rows)
{
    return rows->place;
}

/* ---- cells ---------------------------------------------------------------------------------- */

text_slice gaia_rows_cell(const gaia_rows *rows, gaia_word word)
{
    text_slice cell = gaia_rows_has(rows, word) ? rows->cells[rows->at[word]] : (text_slice){"", 0};
    return text_array_is_missing(cell) ? (text_slice){"", 0} : cell;
}

void gaia_rows_refuse(gaia_rows *rows, gaia_word word, text_slice text, const char *what)
{
    char shown[TEXT_LENGTH];
    if (rows->failure[0] == '\0')
        snprintf(rows->failure, sizeof rows->failure, "%s: '%s' is %s, but stands where %s belongs",
                 rows->place, text_show(text, shown, sizeof shown), what, gaia_word_name(word));
}

double gaia_rows_number(gaia_rows *rows, gaia_word word)
{
    text_slice cell = gaia_rows_cell(rows, word);
    double value;
    if (text_number_read(cell, &value))
        return value;
    if (cell.n > 0)
        gaia_rows_refuse(rows, word, cell, "no number");
    return NAN;
}

int gaia_rows_flag(gaia_rows *rows, gaia_word word)
{
    text_slice cell = gaia_rows_cell(rows, word);
    double value;
    if (text_is_word(cell, "true") || text_is_word(cell, "t"))
        return 1;
    if (text_is_word(cell, "false") || text_is_word(cell, "f"))
        return 0;
    if (text_number_read(cell, &value))
        return value > 0.0;
    if (cell.n > 0)
        gaia_rows_refuse(rows, word, cell, "neither true nor false");
    return -1;
}

equant_status gaia_rows_id(const gaia_rows *rows, gaia_word word, int64_t *id)
{
    text_slice cell = gaia_rows_cell(rows, word);
    char digits[MOST_DIGITS + 1] = "", *end;
    *id = 0;
    if (cell.n == 0)
        return EQUANT_SUCCESS;
    if (cell.n <= MOST_DIGITS)
        memcpy(digits, cell.start, cell.n);
    errno = 0;
    *id = strtoll(digits, &end, 10);
    if (digits[0] >= '0' && digits[0] <= '9' && *end == '\0' && errno == 0)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: '%s' is no number of a source; one that went through a floating-point "
                       "number has lost its digits",
                       rows->place, text_show(cell, digits, sizeof digits));
}
