/* Reads the numbers, strings and booleans out of a JSON text, each with the path that leads to it,
 * such as "planets[0].period_days". Keeps nothing. */
#ifndef EQUANT_APP_FILES_JSON_READER_H
#define EQUANT_APP_FILES_JSON_READER_H

#include <stdbool.h>

/* Called in the order of the text; NULL members are not. Strings come without their quotes and
 * escapes, as UTF-8, and are valid during the call. */
struct json_listener {
    void (*on_number)(const char *path, double value, void *context);
    void (*on_string)(const char *path, const char *value, void *context);
    void *context;
    void (*on_boolean)(const char *path, bool value, void *context);
};

/* Walks through the JSON of a file of moderate size. Returns an exit code, with a sentence on
 * failure. */
int json_reader_file(const char *path, const struct json_listener *listener);

#endif
