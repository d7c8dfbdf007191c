#include "astrometry/formats/line_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/input_stream.h"
#include "core/status_fail.h"

/* A transit has some kilobytes; a line without an end must not take all memory. */
enum { MOST_BYTES = 1 << 26, STEP_BYTES = 1 << 16 };

equant_status line_file_open(zip_archive *archive, const char *path, line_file *file)
{
    *file = (line_file){.path = path};
    return input_stream_open_in(archive, path, &file->stream);
}

/* Moves what is left to the front and reads on behind it. */
static equant_status refill(line_file *file)
{
    if (file->first > 0)
        memmove(file->buffer, file->buffer + file->first, file->n);
    file->first = 0;
    if (file->capacity < file->n + STEP_BYTES) {
        if (file->n >= MOST_BYTES)
            return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this line has no end within %d MiB",
                               file->path, file->number + 1, MOST_BYTES >> 20);
        size_t capacity = 2 * file->n + STEP_BYTES;
        char *grown = realloc(file->buffer, capacity);
        if (grown == NULL)
            return status_out_of_memory();
        file->buffer = grown;
        file->capacity = capacity;
    }
    size_t n_new = fread(file->buffer + file->n, 1, file->capacity - file->n, file->stream);
    file->n += n_new;
    file->is_at_end = n_new == 0;
    if (n_new == 0 && ferror(file->stream))
        return input_stream_fail(file->path, errno);
    return EQUANT_SUCCESS;
}

equant_status line_file_next(line_file *file, text_slice *line, bool *has_line)
{
    size_t searched = 0;
    for (;;) {
        char *start = file->buffer != NULL ? file->buffer + file->first : NULL;
        char *end = file->n > searched ? memchr(start + searched, '\n', file->n - searched) : NULL;
        if (end != NULL || (file->is_at_end && file->n > 0)) {
            size_t n = end != NULL ? (size_t)(end - start) : file->n;
            size_t used = end != NULL ? n + 1 : n;
            file->first += used;
            file->n -= used;
            file->number++;
            if (n > 0 && start[n - 1] == '\r')
                n--;
            *line = (text_slice){start, n};
            *has_line = true;
            return EQUANT_SUCCESS;
        }
        if (file->is_at_end) {
            *has_line = false;
            return EQUANT_SUCCESS;
        }
        searched = file->n;
        equant_status status = refill(file);
        if (status != EQUANT_SUCCESS)
            return status;
    }
}

void line_file_close(line_file *file)
{
    if (file->stream != NULL)
        fclose(file->stream);
    free(file->buffer);
    *file = (line_file){0};
}
