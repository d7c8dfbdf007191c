#include "text/json_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than any result of equant, and far from the end of the stack. */
enum { MAX_DEPTH = 32, PATH_SIZE = 256 };

static const char blanks[] = " \t\r\n";

struct json_reader {
    const char *at;
    int depth;
    bool is_out_of_memory;
    char path[PATH_SIZE]; /* what does not fit is cut off */
    size_t path_length;
    const struct json_listener *listener;
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

/* Four digits of an escape; -1 where there are none. */
static long code_unit(const char *digits)
{
    char four[5] = {0}, *end;
    strncpy(four, digits, 4);
    long value = strtol(four, &end, 16);
    return end == four + 4 && four[0] != '-' && four[0] != '+' ? value : -1;
}

/* A character in UTF-8; returns how many bytes that took. */
static size_t put_utf8(unsigned long code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

/* The character behind a backslash at *at, which moves over it. What equant writes itself
 * never needs two code units for one character; from others, halves become U+FFFD. */
static size_t put_escaped(const char **at, char *out)
{
    static const char names[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    char name = *(*at)++;
    const char *known = strchr(names, name);
    if (name == 'u') {
        long code = code_unit(*at);
        if (code < 0)
            return 0;
        *at += 4;
        return put_utf8(code >= 0xD800 && code < 0xE000 ? 0xFFFD : (unsigned long)code, out);
    }
    out[0] = known != NULL ? meanings[known - names] : name;
    return 1;
}

/* Hands a string on; an escape is never shorter than what it stands for. */
static bool tell_string(struct json_reader *reader, const char *text, size_t n)
{
    if (reader->listener->on_string == NULL)
        return true;
    char *value = malloc(n + 1);
    reader->is_out_of_memory = value == NULL;
    if (value == NULL)
        return false;
    size_t used = 0;
    for (const char *at = text; at < text + n;) {
        if (*at == '\\') {
            at++;
            used += put_escaped(&at, value + used);
        } else {
            value[used++] = *at++;
        }
    }
    value[used] = '\0';
    reader->listener->on_string(reader->path, value, reader->listener->context);
    free(value);
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
            if (i > 0 && reader->listener->on_boolean != NULL)
                reader->listener->on_boolean(reader->path, i == 1, reader->listener->context);
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
    if (reader->listener->on_number != NULL)
        reader->listener->on_number(reader->path, value, reader->listener->context);
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
        is_good = take_string(reader, &text, &n) && tell_string(reader, text, n);
    else
        is_good = *reader->at != '\0' && (take_word(reader) || take_number(reader));
    reader->depth--;
    return is_good;
}

size_t json_walk(const char *text, const struct json_listener *listener)
{
    struct json_reader reader = {.at = text, .listener = listener};
    bool is_good = take_value(&reader);
    reader.at += strspn(reader.at, blanks);
    if (is_good && *reader.at == '\0')
        return 0;
    if (reader.is_out_of_memory)
        return JSON_WALK_NO_MEMORY;
    size_t line = 1;
    for (const char *at = text; at < reader.at; at++)
        line += *at == '\n';
    return line;
}
