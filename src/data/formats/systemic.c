/* The lines of a .sys that name files, and where those files lie. */
#include "data/formats/systemic.h"

#include <stdlib.h>
#include <string.h>

#include "data/text_number.h"

/* What stands behind `key` on a line, without quotes; false for other lines. */
static bool value_of(text_slice line, const char *key, text_slice *value)
{
    text_slice trimmed = text_trim(line);
    size_t n_key = strlen(key);
    if (!text_begins_with(trimmed, key) || trimmed.n == n_key)
        return false;
    text_slice rest = text_trim((text_slice){trimmed.start + n_key, trimmed.n - n_key});
    if (rest.n >= 2 && rest.start[0] == '"' && rest.start[rest.n - 1] == '"')
        rest = text_trim((text_slice){rest.start + 1, rest.n - 2});
    *value = rest;
    return rest.n > 0;
}

static bool next_value(text_lines *lines, const char *key, text_slice *value)
{
    text_slice line;
    while (text_lines_next(lines, &line))
        if (value_of(line, key, value))
            return true;
    return false;
}

bool systemic_is(const char *text, size_t n_bytes)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line, value;
    while (text_lines_next(&lines, &line)) {
        if (value_of(line, "rv[]", &value) || value_of(line, "td[]", &value))
            return true;
        text_slice trimmed = text_trim(line);
        bool is_row = trimmed.n > 0 && strchr("0123456789+-.", trimmed.start[0]) != NULL;
        if (is_row)
            return false;
    }
    return false;
}

bool systemic_next_file(text_lines *lines, text_slice *file)
{
    return next_value(lines, "rv[]", file);
}

size_t systemic_n_transit_files(const char *text, size_t n_bytes)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice value;
    size_t n = 0;
    while (next_value(&lines, "td[]", &value))
        n++;
    return n;
}

/* The value of a key that stands alone, with a blank behind it; a slice of NULL without one. */
static text_slice find_value(const char *text, size_t n_bytes, const char *key)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice line, value;
    while (text_lines_next(&lines, &line)) {
        text_slice trimmed = text_trim(line);
        size_t n_key = strlen(key);
        if (value_of(line, key, &value) && strchr(" \t", trimmed.start[n_key]) != NULL)
            return value;
    }
    return (text_slice){NULL, 0};
}

text_slice systemic_star(const char *text, size_t n_bytes, double *mass)
{
    text_slice written = find_value(text, n_bytes, "mass");
    if (written.start == NULL || !text_number_read(written, mass) || !(*mass > 0.0))
        *mass = 0.0;
    return find_value(text, n_bytes, "name");
}

char *systemic_path(const char *sys_path, text_slice file)
{
    const char *slash = strrchr(sys_path, '/');
    size_t n_folder = slash != NULL && file.start[0] != '/' ? (size_t)(slash - sys_path) + 1 : 0;
    char *path = malloc(n_folder + file.n + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, sys_path, n_folder);
    memcpy(path + n_folder, file.start, file.n);
    path[n_folder + file.n] = '\0';
    return path;
}
