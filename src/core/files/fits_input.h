/* A FITS file for cfitsio: from the disk, or, where it is compressed or in an archive, from
 * memory. Needs EQUANT_HAVE_CFITSIO. */
#ifndef EQUANT_CORE_FILES_FITS_INPUT_H
#define EQUANT_CORE_FILES_FITS_INPUT_H

#include <fitsio.h>
#include <stddef.h>

#include "core/files/zip_archive.h"
#include "equant.h"

/* Zero-initialise. */
typedef struct fits_input {
    fitsfile *file;
    void *bytes; /* of the whole file; NULL: it is on the disk */
    size_t n_bytes;
} fits_input;

/* Opens a file of a file_walk; `archive` NULL: any path. *code is what cfitsio says, where it is
 * the one that fails; then this returns EQUANT_SUCCESS and no file. */
equant_status fits_input_open(zip_archive *archive, const char *path, fits_input *input, int *code);

void fits_input_close(fits_input *input);

/* Whether the file ends before what its headers announce, or within a block. */
int fits_input_is_cut(const fits_input *input, const char *path);

#endif
