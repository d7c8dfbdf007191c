#ifdef EQUANT_HAVE_CFITSIO
#include "core/files/fits_input.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/input_stream.h"
#include "core/status_fail.h"
#include "platform/system_file.h"
#include "platform/system_stream.h"

/* Tables of some thousand sources have a few hundred. */
static const size_t most_bytes = (size_t)1 << 30;

/* What is on the disk as it is. */
static bool is_plain(const zip_archive *archive, const char *path)
{
    static const char beginning[] = "SIMPLE";
    char head[sizeof beginning - 1];
    FILE *file = archive == NULL ? system_stream_open(path, "rb") : NULL;
    if (file == NULL)
        return false;
    bool is_fits = fread(head, 1, sizeof head, file) == sizeof head &&
                   memcmp(head, beginning, sizeof head) == 0;
    fclose(file);
    return is_fits;
}

static equant_status read_whole(FILE *stream, const char *path, fits_input *input)
{
    size_t capacity = 1 << 20;
    char *bytes = malloc(capacity);
    size_t n = 0, n_new = 0;
    while (bytes != NULL && (n_new = fread(bytes + n, 1, capacity - n, stream)) > 0) {
        n += n_new;
        if (n < capacity)
            continue;
        char *grown = capacity < most_bytes ? realloc(bytes, 2 * capacity) : NULL;
        if (grown == NULL) {
            free(bytes);
            return capacity < most_bytes
                       ? status_out_of_memory()
                       : status_fail(EQUANT_ERROR_FORMAT,
                                     "%s: unpacked, this file has more than %zu MiB, and FITS "
                                     "files are unpacked in memory; unpack it on the disk",
                                     path, most_bytes >> 20);
        }
        bytes = grown;
        capacity *= 2;
    }
    if (bytes == NULL)
        return status_out_of_memory();
    if (ferror(stream)) {
        int error = errno;
        free(bytes);
        return input_stream_fail(path, error);
    }
    input->bytes = bytes;
    input->n_bytes = n;
    return EQUANT_SUCCESS;
}

equant_status fits_input_open(zip_archive *archive, const char *path, fits_input *input, int *code)
{
    *input = (fits_input){0};
    if (is_plain(archive, path)) {
        /* Names of files are names, whatever brackets they have. */
        fits_open_diskfile(&input->file, path, READONLY, code);
        return EQUANT_SUCCESS;
    }
    FILE *stream = NULL;
    equant_status status = input_stream_open_in(archive, path, &stream);
    if (status != EQUANT_SUCCESS)
        return status;
    status = read_whole(stream, path, input);
    fclose(stream);
    if (status == EQUANT_SUCCESS)
        fits_open_memfile(&input->file, path, READONLY, &input->bytes, &input->n_bytes, 0, NULL,
                          code);
    return status;
}

void fits_input_close(fits_input *input)
{
    int code = 0;
    if (input->file != NULL)
        fits_close_file(input->file, &code);
    free(input->bytes);
    *input = (fits_input){0};
}

int fits_input_is_cut(const fits_input *input, const char *path)
{
    const LONGLONG block = 2880;
    int code = 0, n_parts = 0, kind;
    LONGLONG head, data, end = 0, last = 0, n_bytes = (LONGLONG)input->n_bytes;
    system_file_facts facts;
    fits_get_num_hdus(input->file, &n_parts, &code);
    for (int i = 1; i <= n_parts && code == 0; i++) {
        fits_movabs_hdu(input->file, i, &kind, &code);
        fits_get_hduaddrll(input->file, &head, &data, &last, &code);
        end = code == 0 && last > end ? last : end;
    }
    if (input->bytes == NULL) {
        if (!system_file_find(path, &facts))
            return 0;
        n_bytes = (LONGLONG)facts.n_bytes;
    }
    return code != 0 || n_bytes % block != 0 || n_bytes < end;
}
#else
typedef int fits_input_needs_cfitsio; /* a file of nothing is none */
#endif
