/* A file with a checksum behind its end. HDF5 reads only as far as its own end and leaves what
 * follows alone; but given a damaged file it may do anything, so ours are checked before. */
#ifndef EQUANT_OUTPUT_SEALED_FILE_H
#define EQUANT_OUTPUT_SEALED_FILE_H

#include <stdbool.h>

#include "equant.h"

/* Writes n bytes and their seal to a file that is open and empty; messages speak of `name`. */
equant_status sealed_file_write(int descriptor, const char *name, size_t n, const void *bytes);

/* Whether an open file has a seal at its end; its checksum is not looked at. */
bool sealed_file_is_ours(int descriptor);

/* Whether a file is as it was when it was sealed; one without a seal is not. */
equant_status sealed_file_check(const char *path, bool *is_intact);

/* Fails, with a sentence, where it is not. */
equant_status sealed_file_require(const char *path);

#endif
