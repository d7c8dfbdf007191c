#include "text/json_writer.h"

#include <math.h>
#include <stddef.h>

#include "text/utf8.h"

json_writer json_start(FILE *stream)
{
    return (json_writer){.stream = stream};
}

void json_finish(json_writer *json)
{
    fputc('\n', json->stream);
}

static void new_line(json_writer *json)
{
    fputc('\n', json->stream);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->stream);
}

/* Comma and line break where the next key or value needs them. */
static void before_member(json_writer *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->has_members[json->depth])
        fputc(',', json->stream);
    json->has_members[json->depth] = true;
    if (json->depth > 0)
        new_line(json);
}

static void open_nest(json_writer *json, char bracket)
{
    before_member(json);
    fputc(bracket, json->stream);
    if (json->depth < JSON_MAX_DEPTH)
        json->depth++;
    json->has_members[json->depth] = false;
}

static void close_nest(json_writer *json, char bracket)
{
    bool had_members = json->has_members[json->depth];
    if (json->depth > 0)
        json->depth--;
    if (had_members)
        new_line(json);
    fputc(bracket, json->stream);
}

void json_object_begin(json_writer *json)
{
    open_nest(json, '{');
}

void json_object_end(json_writer *json)
{
    close_nest(json, '}');
}

void json_array_begin(json_writer *json)
{
    open_nest(json, '[');
}

void json_array_end(json_writer *json)
{
    close_nest(json, ']');
}

static void write_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    while (*text != '\0') {
        size_t n = utf8_length(text);
        if (n == 0) {
            fputs("\\ufffd", stream);
            n = 1;
        } else if (*text == '"' || *text == '\\') {
            fprintf(stream, "\\%c", *text);
        } else if ((n == 1 && *text < 0x20) || *text == 0x7F) {
            fprintf(stream, "\\u%04x", (unsigned)*text);
        } else {
            fwrite(text, 1, n, stream);
        }
        text += n;
    }
    fputc('"', stream);
}

void json_key(json_writer *json, const char *key)
{
    before_member(json);
    write_quoted(json->stream, key);
    fputs(": ", json->stream);
    json->after_key = true;
}

void json_string(json_writer *json, const char *text)
{
    before_member(json);
    write_quoted(json->stream, text);
}

void json_number(json_writer *json, double value)
{
    before_member(json);
    if (isfinite(value))
        fprintf(json->stream, "%.17g", value);
    else
        fputs("null", json->stream);
}

void json_unsigned(json_writer *json, unsigned long long value)
{
    before_member(json);
    fprintf(json->stream, "%llu", value);
}

void json_boolean(json_writer *json, bool value)
{
    before_member(json);
    fputs(value ? "true" : "false", json->stream);
}

void json_null(json_writer *json)
{
    before_member(json);
    fputs("null", json->stream);
}

void json_key_string(json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    json_string(json, text);
}

void json_key_number(json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_number(json, value);
}

void json_key_integer(json_writer *json, const char *key, long long value)
{
    json_key(json, key);
    before_member(json);
    fprintf(json->stream, "%lld", value);
}

void json_key_unsigned(json_writer *json, const char *key, unsigned long long value)
{
    json_key(json, key);
    json_unsigned(json, value);
}

void json_key_boolean(json_writer *json, const char *key, bool value)
{
    json_key(json, key);
    json_boolean(json, value);
}
