/* Gaia's epoch astrometry as text: csv, and ECSV, whose comments are stepped over. A row is a
 * transit, and arrays stand in one cell, as "(1, 2)" or as "[1,2]". */
#include <stdlib.h>
#include <string.h>

#include "astrometry/formats/gaia_source.h"
#include "astrometry/formats/line_file.h"
#include "core/status_fail.h"

typedef struct gaia_text {
    line_file file;
    gaia_source source;
    bool has_header;
    text_delimiter delimiter;
    size_t n_columns;
    gaia_column columns[TEXT_MAX_CELLS];
    bool has[GAIA_N_COLUMNS];
    text_slice cells[TEXT_MAX_CELLS];
    gaia_transit transit;
} gaia_text;

/* ---- headings ---------------------------------------------------------- */

/* The columns of a line of headings; false when they are not those of epoch astrometry. */
static bool read_header(text_slice line, gaia_text *reader, bool *is_repeated, const char **missing)
{
    reader->delimiter = text_count(line, ',') > 0    ? TEXT_COMMA
                        : text_count(line, '\t') > 0 ? TEXT_TAB
                                                     : TEXT_WHITESPACE;
    reader->n_columns = text_cells(line, reader->delimiter, reader->cells, TEXT_MAX_CELLS);
    *is_repeated = false;
    *missing = "source_id";
    if (reader->n_columns > TEXT_MAX_CELLS)
        return false;
    memset(reader->has, 0, sizeof reader->has);
    for (size_t i = 0; i < reader->n_columns; i++) {
        gaia_column column = gaia_column_of(reader->cells[i]);
        bool is_again = column != GAIA_NO_COLUMN && reader->has[column];
        *is_repeated = *is_repeated || is_again;
        reader->columns[i] = is_again ? GAIA_NO_COLUMN : column;
        if (column != GAIA_NO_COLUMN)
            reader->has[column] = true;
    }
    return gaia_columns_suffice(reader->has, missing);
}

static bool is_comment(text_slice line)
{
    text_slice trimmed = text_trim(line);
    return trimmed.n == 0 || trimmed.start[0] == '#';
}

static bool gaia_text_is(const char *head, size_t n_bytes)
{
    text_lines lines = text_lines_begin(head, n_bytes);
    text_slice line = {head, 0};
    bool has_line;
    while ((has_line = text_lines_next(&lines, &line)) && is_comment(line))
        ;
    gaia_text reader;
    bool is_repeated;
    const char *missing;
    return has_line && read_header(line, &reader, &is_repeated, &missing);
}

/* ---- rows -------------------------------------------------------------- */

static void gaia_text_close(void *state)
{
    gaia_text *reader = state;
    gaia_source_free(&reader->source);
    line_file_close(&reader->file);
    free(reader);
}

static equant_status gaia_text_open(const sky_input *input, void **state)
{
    gaia_text *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return status_out_of_memory();
    reader->source.input = input;
    reader->source.format = "Gaia DR4 epoch astrometry, csv";
    equant_status status = line_file_open(input->archive, input->path, &reader->file);
    if (status == EQUANT_SUCCESS)
        *state = reader;
    else
        gaia_text_close(reader);
    return status;
}

static equant_status take_header(gaia_text *reader, text_slice line)
{
    bool is_repeated;
    const char *missing;
    if (!read_header(line, reader, &is_repeated, &missing))
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: epoch astrometry needs a column %s",
                           reader->file.path, reader->file.number, missing);
    if (is_repeated)
        reader->source.remark = "a column is there twice, and the first of them is read";
    reader->has_header = true;
    return EQUANT_SUCCESS;
}

static equant_status take_row(gaia_text *reader, text_slice line)
{
    size_t n = text_cells(line, reader->delimiter, reader->cells, TEXT_MAX_CELLS);
    if (n != reader->n_columns)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: this row has %zu cells, and the headings are %zu; is the file "
                           "cut?",
                           reader->file.path, reader->file.number, n, reader->n_columns);
    for (size_t i = 0; i < n; i++) {
        gaia_column column = reader->columns[i];
        if (column == GAIA_NO_COLUMN)
            continue;
        char shown[40];
        if (!gaia_cell_read(reader->cells[i], column, &reader->transit.cells[column]))
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s:%zu: %s is '%s', which is neither a number nor an array of at "
                               "most %d",
                               reader->file.path, reader->file.number, gaia_column_name(column),
                               text_show(reader->cells[i], shown, sizeof shown), GAIA_MOST_CCDS);
    }
    gaia_place place = {true, reader->file.number};
    return gaia_source_add(&reader->source, &reader->transit, &place);
}

static equant_status gaia_text_step(void *state, bool *is_at_end)
{
    gaia_text *reader = state;
    text_slice line;
    bool has_line;
    equant_status status = line_file_next(&reader->file, &line, &has_line);
    if (status != EQUANT_SUCCESS)
        return status;
    *is_at_end = !has_line;
    if (!has_line)
        return gaia_source_end(&reader->source);
    if (reader->file.number == 1 && text_begins_with(line, "# %ecsv"))
        reader->source.format = "Gaia DR4 epoch astrometry, ECSV";
    if (is_comment(line))
        return EQUANT_SUCCESS;
    return reader->has_header ? take_row(reader, line) : take_header(reader, line);
}

const sky_format gaia_text_format = {
    .is = gaia_text_is, .open = gaia_text_open, .step = gaia_text_step, .close = gaia_text_close};
