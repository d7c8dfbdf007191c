#include "data/tables/table_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/input_stream.h"
#include "core/files/read_only_stream.h"
#include "core/status_fail.h"
#include "data/tables/fits_text.h"
#include "data/tables/votable_reader.h"
#include "data/tables/votable_text.h"
#include "data/text_file.h"

/* The element VOTABLE stands within these, comments in front of it included. */
enum { HEAD_BYTES = 4096 };

/* ---- the first bytes again --------------------------------------------- */

typedef struct headed_stream {
    FILE *rest;
    size_t n, used;
    char head[HEAD_BYTES];
} headed_stream;

static ssize_t headed_read(void *cookie, char *buffer, size_t n)
{
    headed_stream *stream = cookie;
    size_t n_left = stream->n - stream->used;
    if (n_left > 0) {
        n = n < n_left ? n : n_left;
        memcpy(buffer, stream->head + stream->used, n);
        stream->used += n;
        return (ssize_t)n;
    }
    n = fread(buffer, 1, n, stream->rest);
    return n == 0 && ferror(stream->rest) ? -1 : (ssize_t)n;
}

static int headed_close(void *cookie)
{
    headed_stream *stream = cookie;
    fclose(stream->rest);
    free(stream);
    return 0;
}

/* Looks at the first bytes, and gives a stream that has them still. */
static equant_status look(FILE *file, char head[HEAD_BYTES], size_t *n, FILE **stream)
{
    headed_stream *made = malloc(sizeof *made);
    if (made != NULL) {
        made->rest = file;
        made->used = 0;
        made->n = fread(made->head, 1, HEAD_BYTES, file);
        memcpy(head, made->head, made->n);
        *n = made->n;
    }
    *stream = made != NULL ? read_only_stream_open(made, headed_read, headed_close) : NULL;
    if (*stream != NULL)
        return EQUANT_SUCCESS;
    fclose(file);
    free(made);
    return status_out_of_memory();
}

/* ---- tables as text ---------------------------------------------------- */

typedef struct converted_stream {
    char *path;
    table_text table;
    votable_text *votable; /* one of the two */
    fits_text *fits;
    size_t used; /* of the lines */
    bool is_at_end;
} converted_stream;

static int converted_close(void *cookie)
{
    converted_stream *stream = cookie;
    votable_text_close(stream->votable);
    fits_text_close(stream->fits);
    table_text_free(&stream->table);
    free(stream->path);
    free(stream);
    return 0;
}

static ssize_t converted_read(void *cookie, char *buffer, size_t n)
{
    converted_stream *stream = cookie;
    text_buffer *lines = &stream->table.lines;
    while (stream->used == lines->n && !stream->is_at_end) {
        stream->used = lines->n = 0;
        equant_status status = stream->votable != NULL
                                   ? votable_text_step(stream->votable, &stream->is_at_end)
                                   : fits_text_step(stream->fits, &stream->is_at_end);
        if (status != EQUANT_SUCCESS) {
            errno = status == EQUANT_ERROR_OUT_OF_MEMORY ? ENOMEM : READ_ONLY_STREAM_TOLD;
            return -1;
        }
    }
    size_t n_left = lines->n - stream->used;
    n = n < n_left ? n : n_left;
    if (n > 0)
        memcpy(buffer, lines->text + stream->used, n);
    stream->used += n;
    return (ssize_t)n;
}

/* Takes the file of a VOTable; of FITS, with NULL, it is opened again. */
static equant_status convert(zip_archive *archive, const char *path, FILE *votable, bool takes_any,
                             FILE **stream)
{
    converted_stream *made = calloc(1, sizeof *made);
    if (made == NULL || (made->path = strdup(path)) == NULL) {
        if (votable != NULL)
            fclose(votable);
        free(made);
        return status_out_of_memory();
    }
    made->table.takes_any = takes_any;
    equant_status status =
        votable != NULL ? votable_text_open(votable, made->path, &made->table, &made->votable)
                        : fits_text_open(archive, made->path, &made->table, &made->fits);
    if (status == EQUANT_SUCCESS) {
        *stream = read_only_stream_open(made, converted_read, converted_close);
        if (*stream != NULL)
            return EQUANT_SUCCESS;
        status = status_out_of_memory();
    }
    converted_close(made);
    return status;
}

/* ---- files ------------------------------------------------------------- */

static equant_status open_table(zip_archive *archive, const char *path, bool takes_any,
                                FILE **stream)
{
    FILE *file = NULL;
    char head[HEAD_BYTES];
    size_t n = 0;
    equant_status status = input_stream_open_in(archive, path, &file);
    if (status != EQUANT_SUCCESS)
        return status;
    int first = getc(file);
    if (first != EOF)
        ungetc(first, file);
    if (first != '<' && first != 'S') { /* text, as most files are, or nothing */
        *stream = file;
        return EQUANT_SUCCESS;
    }
    status = look(file, head, &n, &file);
    if (status != EQUANT_SUCCESS)
        return status;
    if (fits_text_is(head, n)) {
        fclose(file);
        return convert(archive, path, NULL, takes_any, stream);
    }
    if (votable_reader_is(head, n))
        return convert(archive, path, file, takes_any, stream);
    *stream = file;
    return EQUANT_SUCCESS;
}

equant_status table_stream_open(zip_archive *archive, const char *path, FILE **stream)
{
    return open_table(archive, path, false, stream);
}

equant_status table_stream_open_any(zip_archive *archive, const char *path, FILE **stream)
{
    return open_table(archive, path, true, stream);
}

equant_status table_stream_read(zip_archive *archive, const char *path, char **text,
                                size_t *n_bytes)
{
    FILE *stream = NULL;
    equant_status status = table_stream_open(archive, path, &stream);
    return status == EQUANT_SUCCESS ? text_file_take(stream, path, text, n_bytes) : status;
}
