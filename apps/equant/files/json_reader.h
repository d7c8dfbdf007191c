/* A file of JSON, read as text/json_walk.h reads a text. */
#ifndef EQUANT_APP_FILES_JSON_READER_H
#define EQUANT_APP_FILES_JSON_READER_H

#include "text/json_walk.h"

/* Walks through the JSON of a file of moderate size. Returns an exit code, with a sentence on
 * failure. */
int json_reader_file(const char *path, const struct json_listener *listener);

#endif
