#include "data/formats/byte_table.h"

#include <string.h>

#include "core/status_fail.h"

enum { MOST_COLUMNS = 256, LINES_LOOKED_AT = 200 };

typedef struct byte_column {
    size_t from, to; /* counted from 0; `to` is behind the last */
} byte_column;

typedef struct byte_layout {
    size_t n;
    byte_column columns[MOST_COLUMNS];
    text_slice names[MOST_COLUMNS], units[MOST_COLUMNS];
    size_t description_line; /* "Byte-by-byte Description ..." */
    size_t last_rule_line;   /* rows begin behind it */
} byte_layout;

static bool is_description(text_slice line)
{
    return text_begins_with(text_trim(line), "byte-by-byte description");
}

bool byte_table_is(const char *text, size_t n_bytes)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    while (lines.number < LINES_LOOKED_AT && text_lines_next(&lines, &line))
        if (is_description(line))
            return true;
    return false;
}

static bool is_rule(text_slice line)
{
    line = text_trim(line);
    return line.n >= 10 && (text_count(line, '-') == line.n || text_count(line, '=') == line.n);
}

/* Takes a whole number from the front. */
static bool take_number(text_slice *rest, size_t *number)
{
    size_t n = 0;
    *rest = text_trim(*rest);
    *number = 0;
    while (n < rest->n && n < 6 && rest->start[n] >= '0' && rest->start[n] <= '9')
        *number = 10 * *number + (size_t)(rest->start[n++] - '0');
    *rest = (text_slice){rest->start + n, rest->n - n};
    return n > 0;
}

static text_slice take_word(text_slice *rest)
{
    *rest = text_trim(*rest);
    size_t n = 0;
    while (n < rest->n && rest->start[n] != ' ' && rest->start[n] != '\t')
        n++;
    text_slice word = {rest->start, n};
    *rest = (text_slice){rest->start + n, rest->n - n};
    return word;
}

/* "  1- 14 F14.6 d BJD Explanation"; one byte alone has no range. */
static bool read_column(text_slice line, byte_layout *layout)
{
    size_t from, to;
    if (!take_number(&line, &from) || from == 0)
        return false;
    to = from;
    text_slice behind = text_trim(line);
    if (behind.n > 0 && behind.start[0] == '-') {
        line = (text_slice){behind.start + 1, behind.n - 1};
        if (!take_number(&line, &to) || to < from)
            return false;
    }
    take_word(&line); /* its format, as Fortran has it */
    text_slice unit = take_word(&line), label = take_word(&line);
    if (label.n == 0 || layout->n == MOST_COLUMNS)
        return false;
    bool has_unit = text_count(unit, '-') != unit.n;
    layout->columns[layout->n] = (byte_column){from - 1, to};
    layout->names[layout->n] = label;
    layout->units[layout->n++] = (text_slice){unit.start, has_unit ? unit.n : 0};
    return true;
}

/* The description has a rule under its title, one under its headings, and ends with a third. */
static void read_description(const char *text, size_t n_bytes, byte_layout *layout)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    size_t n_rules = 0;
    while (text_lines_next(&lines, &line)) {
        if (is_description(line) && layout->description_line == 0)
            layout->description_line = lines.number;
        if (layout->description_line == 0)
            continue;
        if (is_rule(line)) {
            n_rules++;
            layout->last_rule_line = lines.number;
        } else if (n_rules == 2) {
            read_column(line, layout);
        }
    }
}

static void add_row(text_buffer *plain, const byte_layout *layout, text_slice line)
{
    text_slice cells[MOST_COLUMNS];
    for (size_t i = 0; i < layout->n; i++) {
        size_t from = layout->columns[i].from < line.n ? layout->columns[i].from : line.n;
        size_t to = layout->columns[i].to < line.n ? layout->columns[i].to : line.n;
        cells[i] = text_trim((text_slice){line.start + from, to - from});
    }
    text_buffer_add_row(plain, cells, layout->n);
}

equant_status byte_table_translate(const char *text, size_t n_bytes, const char *name,
                                   text_buffer *plain)
{
    byte_layout layout = {0};
    read_description(text, n_bytes, &layout);
    if (layout.n == 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: the description of bytes has no columns under its headings "
                           "(lines 'BYTES FORMAT UNITS LABEL')",
                           name, layout.description_line);
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    while (text_lines_next(&lines, &line)) {
        if (lines.number < layout.last_rule_line)
            text_buffer_add_word(plain, "#\n");
        else if (lines.number == layout.last_rule_line)
            text_buffer_add_headings(plain, layout.names, layout.units, layout.n);
        else
            add_row(plain, &layout, line);
    }
    return EQUANT_SUCCESS;
}
