/* Reads the numbers, strings and booleans out of a JSON text, each with the path that leads to it,
 * such as "planets[0].period_days". Keeps nothing. */
#ifndef EQUANT_TEXT_JSON_WALK_H
#define EQUANT_TEXT_JSON_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called in the order of the text; NULL members are not. Strings come without their quotes and
 * escapes, as UTF-8, and are valid during the call. */
struct json_listener {
    void (*on_number)(const char *path, double value, void *context);
    void (*on_string)(const char *path, const char *value, void *context);
    void *context;
    void (*on_boolean)(const char *path, bool value, void *context);
};

#define JSON_WALK_NO_MEMORY SIZE_MAX

/* Walks through one JSON value and the end of the text, which a zero byte marks. Returns 0, the
 * number of the line that is no JSON, or JSON_WALK_NO_MEMORY. */
size_t json_walk(const char *text, const struct json_listener *listener);

#endif
