#include "core/files/gzip_stream.h"

#include "core/status_fail.h"

#ifndef EQUANT_HAVE_ZLIB

equant_status gzip_stream_open(FILE *packed, const char *path, FILE **stream)
{
    (void)stream;
    fclose(packed);
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this is compressed with gzip, and this build of equant has no zlib; "
                       "install it (zlib1g-dev) and build again, or unpack the file with gunzip",
                       path);
}

#else

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "core/files/input_bound.h"
#include "core/files/read_only_stream.h"

enum { PIECE_BYTES = 1 << 14, GZIP_WINDOW = 15 + 16 };

typedef struct gzip_reader {
    FILE *packed;
    z_stream state;
    uint64_t n_packed, n_unpacked;
    bool has_begun;  /* the first of gzip's files */
    bool has_member; /* one has begun and not ended */
    bool is_at_end;
    unsigned char piece[PIECE_BYTES];
} gzip_reader;

/* Reads on; false where there is no more. */
static bool refill(gzip_reader *reader)
{
    if (reader->state.avail_in > 0)
        return true;
    size_t n = fread(reader->piece, 1, PIECE_BYTES, reader->packed);
    reader->state.next_in = reader->piece;
    reader->state.avail_in = (uInt)n;
    reader->n_packed += n;
    return n > 0;
}

/* Files may be several of gzip's, one behind the other. What follows the last one and is none is
 * left, as gunzip does with padding. */
static bool begin_member(gzip_reader *reader)
{
    if (reader->has_begun && (!refill(reader) || reader->state.next_in[0] != 0x1F)) {
        reader->is_at_end = true;
        return true;
    }
    reader->has_begun = true;
    reader->has_member = inflateReset(&reader->state) == Z_OK;
    return reader->has_member;
}

static ssize_t fail_read(int error)
{
    errno = error;
    return -1;
}

static ssize_t gzip_read(void *cookie, char *buffer, size_t n)
{
    gzip_reader *reader = cookie;
    reader->state.next_out = (unsigned char *)buffer;
    reader->state.avail_out = (uInt)(n < UINT32_MAX ? n : UINT32_MAX);
    size_t wanted = reader->state.avail_out;
    while (reader->state.avail_out == wanted && !reader->is_at_end) {
        if (!reader->has_member && !begin_member(reader))
            return fail_read(EBADMSG);
        if (reader->is_at_end)
            break;
        if (!refill(reader))
            return fail_read(ferror(reader->packed) && errno != 0 ? errno : EBADMSG);
        size_t n_before = reader->state.avail_out;
        int code = inflate(&reader->state, Z_NO_FLUSH);
        reader->n_unpacked += n_before - reader->state.avail_out;
        if (code == Z_MEM_ERROR)
            return fail_read(ENOMEM);
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return fail_read(EBADMSG);
        reader->has_member = code != Z_STREAM_END;
        if (!input_bound_allows(reader->n_packed, reader->n_unpacked))
            return fail_read(EFBIG);
    }
    return (ssize_t)(wanted - reader->state.avail_out);
}

static int gzip_close(void *cookie)
{
    gzip_reader *reader = cookie;
    inflateEnd(&reader->state);
    fclose(reader->packed);
    free(reader);
    return 0;
}

equant_status gzip_stream_open(FILE *packed, const char *path, FILE **stream)
{
    (void)path;
    gzip_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL || inflateInit2(&reader->state, GZIP_WINDOW) != Z_OK) {
        free(reader);
        fclose(packed);
        return status_out_of_memory();
    }
    reader->packed = packed;
    *stream = read_only_stream_open(reader, gzip_read, gzip_close);
    if (*stream != NULL)
        return EQUANT_SUCCESS;
    gzip_close(reader);
    return status_out_of_memory();
}
#endif
