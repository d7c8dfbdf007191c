/* Reading a file whole, and telling what is no text. */
#include "data/text_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/input_stream.h"
#include "core/status_fail.h"

/* No table of velocities comes near this, and a file without an end must not take all memory. */
static const size_t most_bytes = (size_t)1 << 29;

/* Grows while it reads, so that pipes work as well as files. What holds a NUL byte is no text,
 * and is not read further. */
static equant_status read_stream(FILE *stream, const char *path, char **text, size_t *n_bytes)
{
    size_t capacity = 1 << 16, n = 0;
    char *buffer = malloc(capacity);
    if (buffer == NULL)
        return status_out_of_memory();
    for (;;) {
        size_t n_new = fread(buffer + n, 1, capacity - 1 - n, stream);
        bool is_text = memchr(buffer + n, '\0', n_new) == NULL;
        n += n_new;
        if (n < capacity - 1 || !is_text)
            break;
        if (n >= most_bytes) {
            free(buffer);
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s: has no end within %zu MiB, and no table of velocities is so "
                               "long; cut it to the rows of one star",
                               path, most_bytes >> 20);
        }
        char *grown = capacity <= SIZE_MAX / 2 ? realloc(buffer, 2 * capacity) : NULL;
        if (grown == NULL) {
            free(buffer);
            return status_out_of_memory();
        }
        buffer = grown;
        capacity *= 2;
    }
    if (ferror(stream)) {
        int error = errno;
        free(buffer);
        return input_stream_fail(path, error);
    }
    buffer[n] = '\0';
    *text = buffer;
    *n_bytes = n;
    return EQUANT_SUCCESS;
}

equant_status text_file_take(FILE *stream, const char *path, char **text, size_t *n_bytes)
{
    equant_status status = read_stream(stream, path, text, n_bytes);
    fclose(stream);
    return status;
}

equant_status text_file_read(zip_archive *archive, const char *path, char **text, size_t *n_bytes)
{
    FILE *stream = NULL;
    equant_status status = input_stream_open_in(archive, path, &stream);
    return status == EQUANT_SUCCESS ? text_file_take(stream, path, text, n_bytes) : status;
}

/* How files that are no tables begin, and what to do about them. */
static const struct known_kind {
    const char *beginning;
    size_t n;
    const char *advice;
} known_kinds[] = {
    {"\x1F\x8B", 2, "is compressed with gzip; unpack it with gunzip first"},
    {"BZh", 3, "is compressed with bzip2; unpack it with bunzip2 first"},
    {"\xFD"
     "7zXZ",
     5, "is compressed with xz; unpack it with unxz first"},
    {"\x28\xB5\x2F\xFD", 4, "is compressed with zstd; unpack it with unzstd first"},
    {"PK\x03\x04", 4, "is a zip archive or a spreadsheet; unpack it, or save the sheet as CSV"},
    {"SIMPLE  =", 9, "is a FITS file; export its table as CSV or ECSV first"},
    {"\x89HDF\r\n", 6, "is an HDF5 file; export its table as CSV or ECSV first"},
    {"\x93NUMPY", 6, "is a NumPy array; save it as text (numpy.savetxt) first"},
    {"%PDF", 4, "is a PDF document; the table must be copied into a text file"},
    {"<?xml", 5, "is XML (a VOTable perhaps); export the table as CSV or ECSV"},
    {"<!DOCTYPE", 9, "is a web page and no table; download the file behind it"},
    {"<html", 5, "is a web page and no table; download the file behind it"},
    {"\xFF\xFE", 2, "is UTF-16 text; save it as UTF-8 or ASCII"},
    {"\xFE\xFF", 2, "is UTF-16 text; save it as UTF-8 or ASCII"},
};

equant_status text_file_check(const char *text, size_t n_bytes, const char *name)
{
    for (size_t i = 0; i < sizeof known_kinds / sizeof known_kinds[0]; i++) {
        const struct known_kind *kind = &known_kinds[i];
        if (n_bytes >= kind->n && memcmp(text, kind->beginning, kind->n) == 0)
            return status_fail(EQUANT_ERROR_FORMAT, "%s: this %s", name, kind->advice);
    }
    if (n_bytes > 0 && memchr(text, '\0', n_bytes) != NULL)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this is a binary file; equant reads tables written as text", name);
    bool is_empty = true;
    for (size_t i = 0; i < n_bytes && is_empty; i++)
        is_empty = strchr(" \t\r\n", text[i]) != NULL;
    if (is_empty)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: the file is empty", name);
    return EQUANT_SUCCESS;
}
