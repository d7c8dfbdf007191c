/* A file as one piece of text, or a sentence about why it is none. */
#ifndef EQUANT_DATA_TEXT_FILE_H
#define EQUANT_DATA_TEXT_FILE_H

#include <stdio.h>

#include "core/files/zip_archive.h"
#include "equant.h"

/* Reads a whole file of a file_walk, or with `archive` NULL any path; *text is the caller's to
 * free, and NUL-terminated. */
equant_status text_file_read(zip_archive *archive, const char *path, char **text, size_t *n_bytes);

/* The same of a stream, which is closed. */
equant_status text_file_take(FILE *stream, const char *path, char **text, size_t *n_bytes);

/* Refuses what is no text: nothing at all, compressed files, FITS, HDF5, and
 * whatever else holds NUL bytes; the sentence says what to do instead. */
equant_status text_file_check(const char *text, size_t n_bytes, const char *name);

#endif
