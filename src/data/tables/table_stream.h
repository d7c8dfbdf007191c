/* Files of velocities as text: those that are text are themselves, and VOTables and FITS tables
 * become text row by row while it is read. */
#ifndef EQUANT_DATA_TABLE_STREAM_H
#define EQUANT_DATA_TABLE_STREAM_H

#include <stdio.h>

#include "core/files/zip_archive.h"
#include "equant.h"

/* Opens a file of a file_walk, or with `archive` NULL any path, which may be a pipe unless it is
 * FITS. Close the stream with fclose; where a read fails, input_stream_fail has the sentence. */
equant_status table_stream_open(zip_archive *archive, const char *path, FILE **stream);

/* The same for a table of anything, not of velocities alone. */
equant_status table_stream_open_any(zip_archive *archive, const char *path, FILE **stream);

/* The whole text; *text is the caller's to free, and NUL-terminated. */
equant_status table_stream_read(zip_archive *archive, const char *path, char **text,
                                size_t *n_bytes);

#endif
