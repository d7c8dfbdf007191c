#include "json_reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than any result of equant, and far from the end of the stack. */
enum { MAX_DEPTH = 32, PATH_SIZE = 256 };

static const char blanks[] = " \t\r\n";

struct json_reader {
    const char *at;
    int depth;
    char path[PATH_SIZE]; /* what does not fit is cut off */
    size_t path_length;
    json_reader_number on_number;
    void *context;
};

static bool take_value(struct json_reader *reader);

static bool take(struct json_reader *reader, char character)
{
    reader->at += strspn(reader->at, blanks);
    if (*reader->at != character)
        return false;
    reader->at++;
    return true;
}

/* The path gets longer for a member, and is cut back to `length` behind it. */
static void append(struct json_reader *reader, int n_printed)
{
    size_t room = sizeof reader->path - reader->path_length;
    reader->path_length += (size_t)n_printed < room ? (size_t)n_printed : room - 1;
}

static void append_name(struct json_reader *reader, const char *name, size_t n)
{
    append(reader,
           snprintf(reader->path + reader->path_length, sizeof reader->path - reader->path_length,
                    "%s%.*s", reader->path_length > 0 ? "." : "", (int)n, name));
}

static void append_index(struct json_reader *reader, size_t index)
{
    append(reader, snprintf(reader->path + reader->path_length,
                            sizeof reader->path - reader->path_length, "[%zu]", index));
}

static void cut_back(struct json_reader *reader, size_t length)
{
    reader->path_length = length;
    reader->path[length] = '\0';
}

/* A string as it is written, escapes and all: names of members need no more. */
static bool take_string(struct json_reader *reader, const char **text, size_t *n)
{
    if (!take(reader, '"'))
        return false;
    *text = reader->at;
    while (*reader->at != '"') {
        if (*reader->at == '\\')
            reader->at++;
        if ((unsigned char)*reader->at < 0x20)
            return false;
        reader->at++;
    }
    *n = (size_t)(reader->at - *text);
    reader->at++;
    return true;
}

static bool take_object(struct json_reader *reader)
{
    size_t length = reader->path_length;
    if (take(reader, '}'))
        return true;
    do {
        const char *name;
        size_t n;
        if (!take_string(reader, &name, &n) || !take(reader, ':'))
            return false;
        append_name(reader, name, n);
        if (!take_value(reader))
            return false;
        cut_back(reader, length);
    } while (take(reader, ','));
    return take(reader, '}');
}

static bool take_array(struct json_reader *reader)
{
    size_t length = reader->path_length, index = 0;
    if (take(reader, ']'))
        return true;
    do {
        append_index(reader, index++);
        if (!take_value(reader))
            return false;
        cut_back(reader, length);
    } while (take(reader, ','));
    return take(reader, ']');
}

static bool take_word(struct json_reader *reader)
{
    static const char *const words[] = {"null", "true", "false"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(reader->at, words[i], strlen(words[i])) == 0) {
            reader->at += strlen(words[i]);
            return true;
        }
    }
    return false;
}

static bool take_number(struct json_reader *reader)
{
    char *end;
    if (strchr("-0123456789", *reader->at) == NULL)
        return false;
    double value = strtod(reader->at, &end);
    if (end == reader->at)
        return false;
    reader->at = end;
    reader->on_number(reader->path, value, reader->context);
    return true;
}

static bool take_value(struct json_reader *reader)
{
    const char *text;
    size_t n;
    bool is_good;
    if (reader->depth == MAX_DEPTH)
        return false;
    reader->depth++;
    if (take(reader, '{'))
        is_good = take_object(reader);
    else if (take(reader, '['))
        is_good = take_array(reader);
    else if (*reader->at == '"')
        is_good = take_string(reader, &text, &n);
    else
        is_good = *reader->at != '\0' && (take_word(reader) || take_number(reader));
    reader->depth--;
    return is_good;
}

size_t json_reader_walk(const char *text, json_reader_number on_number, void *context)
{
    struct json_reader reader = {.at = text, .on_number = on_number, .context = context};
    bool is_good = take_value(&reader);
    reader.at += strspn(reader.at, blanks);
    if (is_good && *reader.at == '\0')
        return 0;
    size_t line = 1;
    for (const char *at = text; at < reader.at; at++)
        line += *at == '\n';
    return line;
}
