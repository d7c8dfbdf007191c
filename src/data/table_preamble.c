/* Telling comments, header, rule and rows of a table apart. */
#include "data/table_preamble.h"

#include <string.h>

#include "core/status_fail.h"
#include "data/formats/ecsv.h"
#include "data/text_number.h"

bool table_preamble_is_comment(text_slice line)
{
    text_slice trimmed = text_trim(line);
    return trimmed.n == 0 || strchr("#%!", trimmed.start[0]) != NULL;
}

text_slice table_preamble_comment(text_slice line)
{
    text_slice trimmed = text_trim(line);
    while (trimmed.n > 0 && strchr("#%!", trimmed.start[0]) != NULL)
        trimmed = (text_slice){trimmed.start + 1, trimmed.n - 1};
    return text_trim(trimmed);
}

text_delimiter table_preamble_delimiter(text_slice line)
{
    if (text_count(line, ',') > 0)
        return TEXT_COMMA;
    if (text_count(line, ';') > 0)
        return TEXT_SEMICOLON;
    return TEXT_WHITESPACE;
}

text_slice table_preamble_without_comment(text_slice line, text_delimiter delimiter)
{
    const char *mark = delimiter == TEXT_WHITESPACE ? memchr(line.start, '#', line.n) : NULL;
    if (mark != NULL && mark > line.start && (mark[-1] == ' ' || mark[-1] == '\t'))
        line.n = (size_t)(mark - line.start);
    return line;
}

size_t table_preamble_cells(text_slice row, text_delimiter delimiter, text_slice *cells,
                            size_t capacity)
{
    return text_cells(table_preamble_without_comment(row, delimiter), delimiter, cells, capacity);
}

/* ---- kinds of lines ---------------------------------------------------- */

bool table_preamble_is_header(text_slice line)
{
    text_slice cells[TEXT_MAX_CELLS];
    size_t n = text_cells(line, table_preamble_delimiter(line), cells, TEXT_MAX_CELLS);
    for (size_t i = 0; i < n && i < TEXT_MAX_CELLS; i++) {
        double value;
        if (text_number_read(cells[i], &value) || text_number_is_not_finite(cells[i]))
            return false;
    }
    return true;
}

bool table_preamble_is_rule(text_slice line)
{
    size_t n_dashes = text_count(line, '-') + text_count(line, '=');
    size_t n_blanks = text_count(line, ' ') + text_count(line, '\t') + text_count(line, '|') +
                      text_count(line, '+') + text_count(line, ',') + text_count(line, ';');
    return n_dashes > 0 && n_dashes + n_blanks == line.n;
}

/* The original rdb has "10N 8N 6S": widths and types of the columns. */
static bool is_rule_of_types(text_slice line)
{
    text_slice cells[TEXT_MAX_CELLS];
    size_t n = text_cells(line, TEXT_WHITESPACE, cells, TEXT_MAX_CELLS);
    if (n == 0 || n > TEXT_MAX_CELLS)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t n_digits = 0;
        while (n_digits < cells[i].n && cells[i].start[n_digits] >= '0' &&
               cells[i].start[n_digits] <= '9')
            n_digits++;
        if (n_digits + 1 != cells[i].n || strchr("NSMD", cells[i].start[n_digits]) == NULL)
            return false;
    }
    return true;
}

/* ---- comments ---------------------------------------------------------- */

/* The value in "key = value" or "key: value". */
static bool comment_value(text_slice comment, const char *key, text_slice *value)
{
    if (!text_begins_with(comment, key))
        return false;
    size_t n_key = strlen(key);
    text_slice rest = text_trim((text_slice){comment.start + n_key, comment.n - n_key});
    if (rest.n == 0 || (rest.start[0] != '=' && rest.start[0] != ':'))
        return false;
    *value = text_trim((text_slice){rest.start + 1, rest.n - 1});
    return value->n > 0;
}

static void note_comment(table_preamble *preamble, text_slice line)
{
    static const char *const unit_keys[] = {"value_units", "value_unit",    "units",   "unit",
                                            "rv_unit",     "velocity_unit", "rv_units"};
    text_slice comment = table_preamble_comment(line);
    for (size_t i = 0; i < sizeof unit_keys / sizeof unit_keys[0]; i++)
        if (comment_value(comment, unit_keys[i], &preamble->value_units))
            preamble->is_systemic |= i == 0;
    comment_value(comment, "telescope", &preamble->telescope);
    comment_value(comment, "instrument", &preamble->instrument);
}

/* ---- the whole --------------------------------------------------------- */

equant_status table_preamble_read(const char *text, size_t n_bytes, const char *name,
                                  table_preamble *preamble)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    *preamble = (table_preamble){.is_ecsv = ecsv_is(text, n_bytes), .comments = lines};
    text_lines before = lines;
    text_slice line;
    while (text_lines_next(&lines, &line)) {
        if (table_preamble_is_comment(line)) {
            note_comment(preamble, line);
        } else if (preamble->header.n == 0 &&
                   (preamble->is_ecsv || table_preamble_is_header(line))) {
            preamble->header = line;
            preamble->header_line = lines.number;
        } else if (preamble->header.n > 0 && !preamble->has_rule &&
                   (table_preamble_is_rule(line) || is_rule_of_types(line))) {
            preamble->has_rule = true;
        } else {
            preamble->first_row = line;
            preamble->first_row_line = lines.number;
            preamble->rows = before;
            return EQUANT_SUCCESS;
        }
        before = lines;
    }
    return status_fail(EQUANT_ERROR_FORMAT,
                       preamble->header.n > 0
                           ? "%s: there is a line of column names, but no rows follow it"
                           : "%s: there are comments alone, and no rows of data",
                       name);
}
