/* As much YAML as the header of an ECSV needs: its list of columns. */
#include "data/formats/ecsv.h"

#include <string.h>

/* Entries of the header are gathered here; name and unit stand at their front,
 * so that cutting a long description does no harm. */
enum { MAX_ENTRY = 1024 };

bool ecsv_is(const char *text, size_t n_bytes)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    if (!text_lines_next(&lines, &line) || line.n == 0 || line.start[0] != '#')
        return false;
    return text_begins_with(text_trim((text_slice){line.start + 1, line.n - 1}), "%ecsv");
}

/* The next line of the YAML, without its "# "; false behind the header. */
static bool next_header_line(text_lines *lines, text_slice *line)
{
    if (!text_lines_next(lines, line) || line->n == 0 || line->start[0] != '#')
        return false;
    size_t skip = line->n > 1 && line->start[1] == ' ' ? 2 : 1;
    *line = (text_slice){line->start + skip, line->n - skip};
    return true;
}

text_delimiter ecsv_delimiter(const char *text, size_t n_bytes)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    while (next_header_line(&lines, &line))
        if (text_begins_with(line, "delimiter:") && text_count(line, ',') > 0)
            return TEXT_COMMA;
    return TEXT_WHITESPACE;
}

/* ---- entries of the list of columns ------------------------------------ */

typedef struct column_entry {
    char text[MAX_ENTRY];
    size_t n;
} column_entry;

static void append(column_entry *entry, text_slice piece, const char *separator)
{
    text_slice pieces[] = {{separator, entry->n > 0 ? strlen(separator) : 0}, piece};
    for (size_t i = 0; i < 2; i++) {
        size_t n = pieces[i].n < MAX_ENTRY - entry->n ? pieces[i].n : MAX_ENTRY - entry->n;
        memcpy(entry->text + entry->n, pieces[i].start, n);
        entry->n += n;
    }
}

static text_slice without_quotes(text_slice value)
{
    value = text_trim(value);
    bool is_quoted = value.n >= 2 && (value.start[0] == '"' || value.start[0] == '\'') &&
                     value.start[value.n - 1] == value.start[0];
    return is_quoted ? (text_slice){value.start + 1, value.n - 2} : value;
}

/* Bytes up to the comma that ends a "key: value", stepping over quotes and
 * nested braces. */
static size_t item_length(text_slice rest)
{
    int depth = 0;
    char quote = '\0';
    for (size_t i = 0; i < rest.n; i++) {
        char c = rest.start[i];
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
        } else if (c == ',' && depth == 0) {
            return i;
        }
    }
    return rest.n;
}

/* The value of `key` in "{name: rv, unit: km / s}"; empty where absent. */
static text_slice entry_value(const column_entry *entry, const char *key)
{
    text_slice rest = text_trim((text_slice){entry->text, entry->n});
    if (rest.n >= 2 && rest.start[0] == '{') {
        bool is_closed = rest.start[rest.n - 1] == '}';
        rest = (text_slice){rest.start + 1, rest.n - (is_closed ? 2 : 1)};
    }
    while (rest.n > 0) {
        size_t n = item_length(rest);
        text_slice item = text_trim((text_slice){rest.start, n});
        size_t n_key = strlen(key);
        if (text_begins_with(item, key) && item.n > n_key && item.start[n_key] == ':')
            return without_quotes((text_slice){item.start + n_key + 1, item.n - n_key - 1});
        size_t used = n < rest.n ? n + 1 : n;
        rest = (text_slice){rest.start + used, rest.n - used};
    }
    return (text_slice){entry->text, 0};
}

static bool take(const column_entry *entry, text_slice column, const char *key, char *value,
                 size_t n_value)
{
    text_slice name = entry_value(entry, "name");
    if (entry->n == 0 || name.n != column.n || memcmp(name.start, column.start, column.n) != 0)
        return false;
    text_show(entry_value(entry, key), value, n_value);
    return true;
}

static void find(const char *text, size_t n_bytes, text_slice column, const char *key, char *value,
                 size_t n_value)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line;
    column_entry entry = {.n = 0};
    bool in_list = false;
    value[0] = '\0';
    while (next_header_line(&lines, &line)) {
        bool is_new = line.n > 1 && line.start[0] == '-' && line.start[1] == ' ';
        bool is_continued = line.n > 0 && line.start[0] == ' ';
        if (text_begins_with(line, "datatype:")) {
            in_list = true;
        } else if (in_list && is_new) {
            if (take(&entry, column, key, value, n_value))
                return;
            entry.n = 0;
            append(&entry, text_trim((text_slice){line.start + 2, line.n - 2}), "");
        } else if (in_list && is_continued) {
            bool is_flow = entry.n > 0 && entry.text[0] == '{';
            append(&entry, text_trim(line), is_flow ? " " : ", ");
        } else if (in_list) {
            break;
        }
    }
    take(&entry, column, key, value, n_value);
}

void ecsv_unit(const char *text, size_t n_bytes, text_slice column, char *unit, size_t n_unit)
{
    find(text, n_bytes, column, "unit", unit, n_unit);
}

void ecsv_description(const char *text, size_t n_bytes, text_slice column, char *description,
                      size_t n_description)
{
    find(text, n_bytes, column, "description", description, n_description);
}
