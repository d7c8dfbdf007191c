/* The files behind a path: itself, those of a folder in the order of their names, or the members of
 * a zip archive in their order; archives in a folder, too. */
#ifndef EQUANT_CORE_FILES_FILE_WALK_H
#define EQUANT_CORE_FILES_FILE_WALK_H

#include <stdbool.h>

#include "core/files/zip_archive.h"
#include "equant.h"

typedef struct file_walk file_walk;

equant_status file_walk_open(const char *path, file_walk **walk);
void file_walk_close(file_walk *walk);

/* True where the path is a folder or an archive, and files that are no tables may stand beside
 * tables. */
bool file_walk_is_set(const file_walk *walk);

/* The next file: a path for people and for input_stream_open_in, which is given *archive, too. Both
 * last until the next call. *path is NULL behind the last one. */
equant_status file_walk_next(file_walk *walk, const char **path, zip_archive **archive);

#endif
