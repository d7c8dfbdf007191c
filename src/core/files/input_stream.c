#include "core/files/input_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/gzip_stream.h"
#include "core/files/input_bound.h"
#include "core/files/read_only_stream.h"
#include "core/status_fail.h"
#include "platform/system_file.h"
#include "platform/system_stream.h"

/* ---- failures ----------------------------------------------------------- */

equant_status input_stream_fail_to_open(const char *path, int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return status_fail(EQUANT_ERROR_IO, "%s: there is no such file; check its name and folder",
                           path);
    case EACCES:
    case EPERM:
        return status_fail(EQUANT_ERROR_IO, "%s: you may not read this file; check its permissions",
                           path);
    case EISDIR:
        return status_fail(EQUANT_ERROR_IO, "%s: this is a folder; name the files in it", path);
    case ENOMEM:
        return status_out_of_memory();
    default:
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be read: %s", path, strerror(error));
    }
}

equant_status input_stream_fail(const char *path, int error)
{
    switch (error) {
    case READ_ONLY_STREAM_TOLD:
        return EQUANT_ERROR_FORMAT;
    case EBADMSG:
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this compressed file is cut or damaged; get it again", path);
    case EFBIG:
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this file unpacks to more than %d times its size, which tables do "
                           "not; unpack it if it is meant",
                           path, INPUT_BOUND_RATIO);
    default:
        return input_stream_fail_to_open(path, error);
    }
}

/* ---- members of archives ------------------------------------------------ */

static bool begins_as_zip(FILE *file)
{
    char head[4];
    size_t n = fread(head, 1, sizeof head, file);
    rewind(file);
    return zip_archive_is(head, n);
}

/* The length of the front of a path that is a zip archive, before a slash; 0: none is. */
static size_t find_archive(const char *path, char *front)
{
    for (size_t i = 1; path[i] != '\0'; i++) {
        system_file_facts about;
        if (path[i] != '/')
            continue;
        memcpy(front, path, i);
        front[i] = '\0';
        if (!system_file_find(front, &about))
            return 0;
        if (about.is_folder)
            continue;
        FILE *file = about.is_regular ? system_stream_open(front, "rb") : NULL;
        bool is_zip = file != NULL && begins_as_zip(file);
        if (file != NULL)
            fclose(file);
        return is_zip ? i : 0;
    }
    return 0;
}

static equant_status open_archive(const char *path, const char *member, FILE **stream)
{
    zip_archive *archive = NULL;
    equant_status status = zip_archive_open(path, &archive);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n = zip_archive_n_members(archive);
    if (member == NULL && n == 0)
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: this zip archive has no files", path);
    else if (member == NULL && n > 1)
        status = status_fail(EQUANT_ERROR_IO,
                             "%s: this zip archive has %zu files; name the one that is meant, as "
                             "in '%s/%s'",
                             path, n, path, zip_archive_member(archive, 0));
    if (status == EQUANT_SUCCESS)
        return zip_archive_stream(archive, member != NULL ? member : zip_archive_member(archive, 0),
                                  true, stream);
    zip_archive_close(archive);
    return status;
}

/* A path that is none of a file: that of a member, perhaps. */
static equant_status open_absent(const char *path, int error, FILE **stream)
{
    char *front = malloc(strlen(path) + 1);
    if (front == NULL)
        return status_out_of_memory();
    size_t n = find_archive(path, front);
    equant_status status =
        n > 0 ? open_archive(front, path + n + 1, stream) : input_stream_fail_to_open(path, error);
    free(front);
    return status;
}

/* ---- files -------------------------------------------------------------- */

/* What gzip compressed, unpacked. One byte is looked at, which pipes take back; no text begins with
 * it. */
static equant_status unpack(FILE *file, const char *path, FILE **stream)
{
    int first = getc(file);
    if (first == EOF && ferror(file)) {
        int error = errno;
        fclose(file);
        return input_stream_fail(path, error);
    }
    if (first != EOF)
        ungetc(first, file);
    if (first == 0x1F)
        return gzip_stream_open(file, path, stream);
    *stream = file;
    return EQUANT_SUCCESS;
}

equant_status input_stream_open(const char *path, FILE **stream)
{
    system_file_facts about;
    FILE *file = NULL;
    if (path[0] == '\0')
        return status_fail(EQUANT_ERROR_IO, "the name of a file is empty");
    if (!system_file_find(path, &about)) {
        int error = errno;
        equant_status status = error == ENOTDIR ? open_absent(path, error, &file)
                                                : input_stream_fail_to_open(path, error);
        return status == EQUANT_SUCCESS ? unpack(file, path, stream) : status;
    }
    if (about.is_folder)
        return input_stream_fail_to_open(path, EISDIR);
    file = system_stream_open(path, "rb");
    if (file == NULL)
        return input_stream_fail_to_open(path, errno);
    if (about.is_regular && begins_as_zip(file)) {
        fclose(file);
        equant_status status = open_archive(path, NULL, &file);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return unpack(file, path, stream);
}

equant_status input_stream_open_in(zip_archive *archive, const char *path, FILE **stream)
{
    if (archive == NULL)
        return input_stream_open(path, stream);
    FILE *file = NULL;
    size_t n = strlen(zip_archive_path(archive));
    equant_status status = zip_archive_stream(archive, path + n + 1, false, &file);
    return status == EQUANT_SUCCESS ? unpack(file, path, stream) : status;
}
