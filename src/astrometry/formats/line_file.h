/* A file of text line by line, in as much memory as its longest line takes. */
#ifndef EQUANT_ASTROMETRY_LINE_FILE_H
#define EQUANT_ASTROMETRY_LINE_FILE_H

#include <stdio.h>

#include "core/files/zip_archive.h"
#include "data/text_table.h"
#include "equant.h"

typedef struct line_file {
    const char *path; /* the caller's */
    FILE *stream;
    char *buffer;
    size_t first, n, capacity; /* bytes that have been read and not yet handed out */
    size_t number;             /* of the line handed out last, counted from 1 */
    bool is_at_end;
} line_file;

/* Opens a file of a file_walk. */
equant_status line_file_open(zip_archive *archive, const char *path, line_file *file);

/* The next line without its end, valid until the next call; *has_line is false behind the last. */
equant_status line_file_next(line_file *file, text_slice *line, bool *has_line);

void line_file_close(line_file *file);

#endif
