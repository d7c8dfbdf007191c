/* One source of a file of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_SOURCE_FILE_H
#define EQUANT_APP_SKY_SKY_SOURCE_FILE_H

#include <stdint.h>

#include "equant.h"

/* What --source was given. */
int sky_source_file_number(const char *command, const char *text, int64_t *source_id);

/* The source with that number, or with 0 the only one. Returns an exit code, with a sentence on
 * failure; the caller frees it. */
int sky_source_file_read(const char *path, int64_t source_id, equant_astrometry **source);

#endif
