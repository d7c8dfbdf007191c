/* A file that takes the place of another of its kind only when it is complete and on the disk:
 * every file that the library writes. */
#ifndef EQUANT_CORE_FILES_REPLACEMENT_H
#define EQUANT_CORE_FILES_REPLACEMENT_H

#include <stdbool.h>

#include "equant.h"

typedef struct replacement {
    int descriptor;  /* write here */
    char *temporary; /* the name that it has, or gets shortly before it takes the other's place */
    bool has_name;
} replacement;

/* Whether an open file is of a kind that the library writes, by what it begins or ends with. */
typedef bool replacement_kind(int descriptor);

/* Refuses a path whose file is there, is not empty and is of another kind. */
equant_status replacement_check(const char *path, replacement_kind *is_of_kind);

/* A new file in the folder of `path`, which replacement_check does not refuse. Where the system can
 * do that it has no name, and is gone with a program that is killed; else one that nobody can
 * foresee. End it only after success. */
equant_status replacement_begin(const char *path, replacement_kind *is_of_kind, replacement *made);

/* Puts the written file in its place, or, with another status than EQUANT_SUCCESS, removes it.
 * Returns the status, or its own failure. */
equant_status replacement_end(const char *path, replacement *made, equant_status status);

/* Removes a file that replacement_check does not refuse, if it is there. */
equant_status replacement_remove(const char *path, replacement_kind *is_of_kind);

#endif
