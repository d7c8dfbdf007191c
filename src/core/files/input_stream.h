/* Files that are read: as they are, compressed by gzip, or members of a zip archive, whose paths
 * are "ARCHIVE.zip/MEMBER". What comes out is a stream of the contents. It needs little memory and
 * is bounded: see input_bound_allows. */
#ifndef EQUANT_CORE_FILES_INPUT_STREAM_H
#define EQUANT_CORE_FILES_INPUT_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/files/zip_archive.h"
#include "equant.h"

/* Opens a file. An archive with one member is that member; one with several is refused, as a folder
 * is. Close the stream with fclose. */
equant_status input_stream_open(const char *path, FILE **stream);

/* The same for a file of a file_walk, with its archive. */
equant_status input_stream_open_in(zip_archive *archive, const char *path, FILE **stream);

/* The sentence after a read has failed with `error`, an errno. */
equant_status input_stream_fail(const char *path, int error);

/* The sentence about a path that cannot be opened with `error`, an errno. */
equant_status input_stream_fail_to_open(const char *path, int error);

#endif
