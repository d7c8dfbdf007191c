/* Reads the numbers out of a JSON text, each with the path that leads to it, such as
 * "planets[0].period_days". Keeps nothing. */
#ifndef EQUANT_APP_JSON_READER_H
#define EQUANT_APP_JSON_READER_H

#include <stddef.h>

/* Called for every number, in the order of the text. */
typedef void (*json_reader_number)(const char *path, double value, void *context);

/* Walks through one JSON value and the end of the text (which a zero byte marks). Returns
 * 0, or the number of the line that is no JSON. */
size_t json_reader_walk(const char *text, json_reader_number on_number, void *context);

#endif
