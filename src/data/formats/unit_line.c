#include "data/formats/unit_line.h"

#include "data/table_preamble.h"
#include "data/velocity_unit.h"

/* The first three lines that are no comments. */
typedef struct first_lines {
    text_slice line[3];
    size_t number[3];
    text_delimiter delimiter;
} first_lines;

static bool find_first_lines(const char *text, size_t n_bytes, first_lines *first)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    size_t n = 0;
    while (n < 3 && text_lines_next(&lines, &line)) {
        if (table_preamble_is_comment(line))
            continue;
        first->line[n] = line;
        first->number[n++] = lines.number;
    }
    if (n < 3)
        return false;
    text_slice headings = first->line[0];
    first->delimiter = text_count(headings, '\t') > 0  ? TEXT_TAB
                       : text_count(headings, ';') > 0 ? TEXT_SEMICOLON
                                                       : TEXT_COMMA;
    return text_count(headings, '\t') + text_count(headings, ';') + text_count(headings, ',') > 1;
}

static size_t n_cells(const first_lines *first, size_t which)
{
    text_slice cells[TEXT_MAX_CELLS];
    return text_cells(first->line[which], first->delimiter, cells, TEXT_MAX_CELLS);
}

/* Trailing cells without a unit may be missing. */
static bool begins_with_two_headers(const first_lines *first)
{
    return table_preamble_is_header(first->line[0]) && table_preamble_is_header(first->line[1]) &&
           !table_preamble_is_rule(first->line[1]) && n_cells(first, 0) <= TEXT_MAX_CELLS &&
           n_cells(first, 1) <= n_cells(first, 0);
}

bool unit_line_is_vizier(const char *text, size_t n_bytes)
{
    first_lines first;
    return find_first_lines(text, n_bytes, &first) && begins_with_two_headers(&first) &&
           table_preamble_is_rule(first.line[2]);
}

static bool is_time_unit(text_slice cell)
{
    static const char *const units[] = {"d", "day", "days", "jd", "bjd", "mjd", "hjd"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (text_is_word(cell, units[i]))
            return true;
    return false;
}

bool unit_line_is(const char *text, size_t n_bytes)
{
    first_lines first;
    if (!find_first_lines(text, n_bytes, &first) || !begins_with_two_headers(&first))
        return false;
    text_slice cells[TEXT_MAX_CELLS];
    size_t n = text_cells(first.line[1], first.delimiter, cells, TEXT_MAX_CELLS), n_velocities = 0;
    bool has_time = false;
    for (size_t i = 0; i < n; i++) {
        has_time |= is_time_unit(cells[i]);
        n_velocities += velocity_unit_parse(cells[i]) != EQUANT_UNIT_FROM_FILE;
    }
    return n_velocities > 1 || (n_velocities == 1 && has_time);
}

equant_status unit_line_translate(const char *text, size_t n_bytes, const char *name,
                                  text_buffer *plain)
{
    (void)name;
    first_lines first;
    text_slice names[TEXT_MAX_CELLS], cells[TEXT_MAX_CELLS], units[TEXT_MAX_CELLS] = {{0}};
    find_first_lines(text, n_bytes, &first);
    size_t n = text_cells(first.line[0], first.delimiter, names, TEXT_MAX_CELLS);
    text_cells(first.line[1], first.delimiter, units, TEXT_MAX_CELLS);
    size_t n_headings = table_preamble_is_rule(first.line[2]) ? 3 : 2;
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    while (text_lines_next(&lines, &line)) {
        if (lines.number == first.number[n_headings - 1]) {
            text_buffer_add_headings(plain, names, units, n);
        } else if (table_preamble_is_comment(line) || lines.number < first.number[n_headings - 1]) {
            bool is_comment = table_preamble_is_comment(line);
            text_buffer_add(plain, (text_slice){line.start, is_comment ? line.n : 0});
            text_buffer_add_word(plain, "\n");
        } else {
            size_t n_row = text_cells(line, first.delimiter, cells, TEXT_MAX_CELLS);
            text_buffer_add_row(plain, cells, n_row < TEXT_MAX_CELLS ? n_row : TEXT_MAX_CELLS);
        }
    }
    return EQUANT_SUCCESS;
}
