#include "data/formats/ipac_table.h"

#include <string.h>

#include "core/status_fail.h"

enum { MOST_COLUMNS = 256 };

/* Names, types, units and what stands for nothing: up to four lines with bars. */
typedef struct ipac_layout {
    size_t n;
    size_t bar[MOST_COLUMNS + 1];
    text_slice names[MOST_COLUMNS], units[MOST_COLUMNS];
    size_t last_heading_line;
} ipac_layout;

static bool is_keyword(text_slice line)
{
    return line.n > 0 && line.start[0] == '\\';
}

static bool is_heading(text_slice line)
{
    return line.n > 1 && line.start[0] == '|' && text_count(line, '|') > 1;
}

bool ipac_table_is(const char *text, size_t n_bytes)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    while (text_lines_next(&lines, &line))
        if (!is_keyword(line) && text_trim(line).n > 0)
            return is_heading(line);
    return false;
}

/* What stands between bars, or under them. */
static void cut(text_slice line, const ipac_layout *layout, bool is_row, text_slice *cells)
{
    for (size_t i = 0; i < layout->n; i++) {
        size_t from = layout->bar[i] + (is_row ? 0 : 1), to = layout->bar[i + 1];
        if (is_row && i + 1 == layout->n)
            to = line.n;
        to = to < line.n ? to : line.n;
        from = from < to ? from : to;
        cells[i] = text_trim((text_slice){line.start + from, to - from});
    }
}

static void find_bars(text_slice line, ipac_layout *layout)
{
    size_t n_bars = 0;
    for (size_t i = 0; i < line.n && n_bars <= MOST_COLUMNS; i++)
        if (line.start[i] == '|')
            layout->bar[n_bars++] = i;
    layout->n = n_bars - 1;
}

static void read_headings(const char *text, size_t n_bytes, ipac_layout *layout)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    size_t n_headings = 0;
    while (text_lines_next(&lines, &line)) {
        if (!is_heading(line)) {
            if (n_headings > 0)
                return;
            continue;
        }
        n_headings++;
        layout->last_heading_line = lines.number;
        if (n_headings == 1) {
            find_bars(line, layout);
            cut(line, layout, false, layout->names);
        } else if (n_headings == 3) {
            cut(line, layout, false, layout->units);
        }
    }
}

/* "\INSTRUMENT = 'HIRES'" as the comment that names an instrument; others are of no use. */
static void add_keyword(text_buffer *plain, text_slice line)
{
    text_slice rest = text_trim((text_slice){line.start + 1, line.n - 1});
    const char *sign = rest.n > 0 ? memchr(rest.start, '=', rest.n) : NULL;
    bool is_of_use = text_begins_with(rest, "instrument") || text_begins_with(rest, "telescope");
    text_buffer_add_word(plain, "# ");
    if (is_of_use && sign != NULL) {
        size_t n_key = (size_t)(sign - rest.start);
        text_slice value = text_trim((text_slice){sign + 1, rest.n - n_key - 1});
        while (value.n > 0 && (value.start[0] == '\'' || value.start[0] == '"'))
            value = (text_slice){value.start + 1, value.n - 1};
        while (value.n > 0 && strchr("'\"", value.start[value.n - 1]) != NULL)
            value.n--;
        text_buffer_add(plain, (text_slice){rest.start, n_key});
        text_buffer_add_word(plain, "= ");
        text_buffer_add(plain, text_trim(value));
    }
    text_buffer_add_word(plain, "\n");
}

equant_status ipac_table_translate(const char *text, size_t n_bytes, const char *name,
                                   text_buffer *plain)
{
    (void)name;
    ipac_layout layout = {0};
    read_headings(text, n_bytes, &layout);
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line, cells[MOST_COLUMNS];
    while (text_lines_next(&lines, &line)) {
        if (is_keyword(line)) {
            add_keyword(plain, line);
        } else if (lines.number == layout.last_heading_line) {
            text_buffer_add_headings(plain, layout.names, layout.units, layout.n);
        } else if (lines.number < layout.last_heading_line) {
            text_buffer_add_word(plain, "#\n");
        } else {
            cut(line, &layout, true, cells);
            text_buffer_add_row(plain, cells, layout.n);
        }
    }
    return EQUANT_SUCCESS;
}
