/* One source of a file of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_SOURCE_FILE_H
#define EQUANT_APP_SKY_SKY_SOURCE_FILE_H

#include <stdint.h>

#include "equant.h"

/* The only source that is asked for. Returns an exit code, with a sentence on failure, also where
 * there are several, and where one is named in a file without numbers; the caller frees it. */
int sky_source_file_read(const char *command, const char *path, const equant_sky_reading *reading,
                         equant_astrometry **source);

#endif
