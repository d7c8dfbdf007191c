#include "data/formats/decimal_comma.h"

#include "data/table_preamble.h"
#include "data/text_number.h"

static text_delimiter delimiter_of(text_slice line)
{
    return text_count(line, ';') > 0    ? TEXT_SEMICOLON
           : text_count(line, '\t') > 0 ? TEXT_TAB
                                        : TEXT_WHITESPACE;
}

enum { LONGEST_NUMBER = 60 };

/* A number with one comma in it, as text with a point; false for anything else. */
static bool with_point(text_slice cell, char *number)
{
    if (cell.n >= LONGEST_NUMBER || text_count(cell, ',') != 1)
        return false;
    for (size_t i = 0; i < cell.n; i++)
        number[i] = cell.start[i] == ',' ? '.' : cell.start[i];
    double value;
    bool ends_in_digit = cell.start[cell.n - 1] >= '0' && cell.start[cell.n - 1] <= '9';
    return ends_in_digit && text_number_read((text_slice){number, cell.n}, &value);
}

/* The first line with a number in it, when its comma is taken for a decimal sign. */
static bool is_row(text_slice line)
{
    text_slice cells[TEXT_MAX_CELLS];
    size_t n = text_cells(line, delimiter_of(line), cells, TEXT_MAX_CELLS);
    size_t n_commas = 0, n_points = 0, n_numbers = 0;
    for (size_t i = 0; i < n && i < TEXT_MAX_CELLS; i++) {
        char number[LONGEST_NUMBER];
        double value;
        bool has_comma = with_point(cells[i], number);
        bool is_number = has_comma || text_number_read(cells[i], &value);
        n_commas += has_comma;
        n_numbers += is_number;
        n_points += is_number && text_count(cells[i], '.') > 0;
        /* A comma that sets two cells apart: "a, b". */
        if (!has_comma && text_count(cells[i], ',') > 0)
            return false;
    }
    return n_commas >= 2 && n_points == 0 && n_numbers >= 3;
}

bool decimal_comma_is(const char *text, size_t n_bytes)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    for (size_t n_looked_at = 0; n_looked_at < 3 && text_lines_next(&lines, &line);) {
        if (table_preamble_is_comment(line))
            continue;
        n_looked_at++;
        if (is_row(line))
            return true;
        if (!table_preamble_is_header(line) && !table_preamble_is_rule(line))
            return false;
    }
    return false;
}

static void add_row(text_buffer *plain, text_slice line)
{
    text_slice cells[TEXT_MAX_CELLS];
    size_t n = text_cells(line, delimiter_of(line), cells, TEXT_MAX_CELLS);
    n = n < TEXT_MAX_CELLS ? n : TEXT_MAX_CELLS;
    for (size_t i = 0; i < n; i++) {
        char number[LONGEST_NUMBER];
        bool has_comma = with_point(cells[i], number);
        if (i > 0)
            text_buffer_add_word(plain, "\t");
        text_buffer_add(plain, has_comma ? (text_slice){number, cells[i].n} : cells[i]);
    }
    text_buffer_add_word(plain, "\n");
}

static void add_header(text_buffer *plain, text_slice line)
{
    text_slice names[TEXT_MAX_CELLS];
    size_t n = text_names(line, delimiter_of(line), names, TEXT_MAX_CELLS);
    text_buffer_add_row(plain, names, n < TEXT_MAX_CELLS ? n : TEXT_MAX_CELLS);
}

equant_status decimal_comma_translate(const char *text, size_t n_bytes, const char *name,
                                      text_buffer *plain)
{
    (void)name;
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    bool in_rows = false;
    while (text_lines_next(&lines, &line)) {
        in_rows |= !table_preamble_is_comment(line) && is_row(line);
        if (table_preamble_is_comment(line)) {
            text_buffer_add(plain, line);
            text_buffer_add_word(plain, "\n");
        } else if (in_rows) {
            add_row(plain, line);
        } else {
            add_header(plain, line);
        }
    }
    return EQUANT_SUCCESS;
}
