/* Writes JSON to a stream as it goes, indented by two spaces; nothing is kept
 * but the nesting. The caller is trusted to close what it opens. */
#ifndef EQUANT_TEXT_JSON_WRITER_H
#define EQUANT_TEXT_JSON_WRITER_H

#include <stdbool.h>
#include <stdio.h>

enum { JSON_MAX_DEPTH = 16 };

typedef struct json_writer {
    FILE *stream;
    int depth;
    bool has_members[JSON_MAX_DEPTH + 1]; /* at each depth: a comma is due */
    bool after_key;
} json_writer;

json_writer json_start(FILE *stream);
/* Ends the text with a newline. */
void json_finish(json_writer *json);

void json_object_begin(json_writer *json);
void json_object_end(json_writer *json);
void json_array_begin(json_writer *json);
void json_array_end(json_writer *json);

/* A key of the object that is open; the value is the next call. */
void json_key(json_writer *json, const char *key);

/* Bytes that are not UTF-8 become U+FFFD, so that the output always is. */
void json_string(json_writer *json, const char *text);
/* In %.17g; JSON has no infinities and no NaN, they become null. */
void json_number(json_writer *json, double value);
void json_unsigned(json_writer *json, unsigned long long value);
void json_boolean(json_writer *json, bool value);
void json_null(json_writer *json);

/* A key and its value in one call. */
void json_key_string(json_writer *json, const char *key, const char *text);
void json_key_number(json_writer *json, const char *key, double value);
void json_key_integer(json_writer *json, const char *key, long long value);
void json_key_unsigned(json_writer *json, const char *key, unsigned long long value);
void json_key_boolean(json_writer *json, const char *key, bool value);

#endif
