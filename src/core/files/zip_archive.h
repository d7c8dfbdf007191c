/* A zip archive that is read, by libzip: its members in their order, each as a stream. Refused at
 * once, with a sentence, are archives that are cut, whose names lead out of them, that are
 * encrypted or that claim to unpack to more than the bound. */
#ifndef EQUANT_CORE_FILES_ZIP_ARCHIVE_H
#define EQUANT_CORE_FILES_ZIP_ARCHIVE_H

#include <stdbool.h>
#include <stdio.h>

#include "equant.h"

typedef struct zip_archive zip_archive;

/* By the first bytes of a file. */
bool zip_archive_is(const char *head, size_t n_bytes);

equant_status zip_archive_open(const char *path, zip_archive **archive);
void zip_archive_close(zip_archive *archive);

const char *zip_archive_path(const zip_archive *archive);

/* Members that are files, without what systems and archives put beside them. */
size_t zip_archive_n_members(const zip_archive *archive);
const char *zip_archive_member(const zip_archive *archive, size_t index);

/* The member called `name`. A read of the stream fails with EBADMSG where the member is damaged and
 * with EFBIG where all that was read of the archive is beyond the bound. With `owns_archive` the
 * archive is closed with the stream, or here where this fails. */
equant_status zip_archive_stream(zip_archive *archive, const char *name, bool owns_archive,
                                 FILE **stream);

#endif
