/* A file that takes the place of another only when it is complete and on the disk. */
#ifndef EQUANT_OUTPUT_REPLACEMENT_H
#define EQUANT_OUTPUT_REPLACEMENT_H

#include <stdbool.h>

#include "equant.h"

typedef struct replacement {
    int descriptor;  /* write here */
    char *temporary; /* the name that it has, or gets shortly before it takes the other's place */
    bool has_name;
} replacement;

/* A new file in the folder of `path`. Where the system can do that it has no name, and is gone
 * with a program that is killed; else one that nobody can foresee. End it only after success. */
equant_status replacement_begin(const char *path, replacement *made);

/* Puts the written file in its place, or, with another status than EQUANT_SUCCESS, removes it.
 * Returns the status, or its own failure. */
equant_status replacement_end(const char *path, replacement *made, equant_status status);

#endif
