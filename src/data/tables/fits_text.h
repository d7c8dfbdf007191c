/* A FITS table of velocities, as text. */
#ifndef EQUANT_DATA_FITS_TEXT_H
#define EQUANT_DATA_FITS_TEXT_H

#include "core/files/zip_archive.h"
#include "data/tables/table_text.h"
#include "equant.h"

typedef struct fits_text fits_text;

/* True where the beginning of a file is that of a FITS file. */
bool fits_text_is(const char *head, size_t n_bytes);

/* Opens a file of a file_walk; `path` and `table`, which gets the lines, outlive it. Without
 * cfitsio EQUANT_ERROR_UNAVAILABLE. */
equant_status fits_text_open(zip_archive *archive, const char *path, table_text *table,
                             fits_text **reader);
equant_status fits_text_step(fits_text *reader, bool *is_at_end);
void fits_text_close(fits_text *reader);

#endif
