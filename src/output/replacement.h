/* A file that takes the place of another only when it is complete and on the disk. */
#ifndef EQUANT_OUTPUT_REPLACEMENT_H
#define EQUANT_OUTPUT_REPLACEMENT_H

#include "equant.h"

/* The name under which to write what will be `path`: in the same folder, and always the same
 * one, so that what a killed program left behind is overwritten by the next. */
equant_status replacement_begin(const char *path, char **temporary);

/* Puts the written file in its place, or, with another status than EQUANT_SUCCESS, removes it;
 * frees the name. Returns the status, or its own failure. */
equant_status replacement_end(const char *path, char *temporary, equant_status status);

#endif
