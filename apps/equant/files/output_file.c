#include "files/output_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_file.h"
#include "platform/system_folder.h"
#include "platform/system_stream.h"
#include "terminal/messages.h"
#include "files/output_folder.h"

static void forget(struct output_file *file)
{
    free(file->path);
    free(file->temporary);
    *file = (struct output_file){0};
}

/* ---- opening --------------------------------------------------------------------------- */

/* A new file beside `path`. Its name does not grow with that of the target, which may be as long
 * as the system allows, and a planted file or link of that name is not followed. */
static FILE *create_beside(const char *path, char *temporary, size_t size)
{
    int descriptor;
    do {
        uint64_t number;
        if (!system_file_random(&number))
            return NULL;
        snprintf(temporary, size, "%.*s.equant-%016" PRIx64 ".part",
                 (int)system_folder_length(path), path, number);
        descriptor = system_file_open(temporary, SYSTEM_FILE_NEW);
    } while (descriptor < 0 && errno == EEXIST);
    FILE *stream = descriptor < 0 ? NULL : system_stream_of(descriptor, "w");
    if (stream == NULL && descriptor >= 0) {
        system_file_close(descriptor);
        system_file_remove(temporary);
    }
    return stream;
}

/* Takes the path over. */
static int open_beside(struct output_file *file, char *path)
{
    const size_t n_name = sizeof ".equant-0123456789abcdef.part";
    size_t size = system_folder_length(path) + n_name;
    *file = (struct output_file){.path = path, .temporary = malloc(size)};
    if (file->temporary == NULL) {
        forget(file);
        return messages_out_of_memory();
    }
    file->stream = create_beside(path, file->temporary, size);
    if (file->stream != NULL)
        return EXIT_CODE_OK;
    int code = messages_file("write", path);
    forget(file);
    return code;
}

/* The path of a member that may be written, in new memory; NULL, with a sentence, where it may
 * not. */
static char *join_checked(const char *folder, const char *name, const struct output_member *members)
{
    const struct output_kind *kind = output_check_kind(members, name);
    char *path = kind == NULL ? NULL : output_folder_join(folder, name);
    if (path != NULL && output_check_file(NULL, path, kind) != EXIT_CODE_OK) {
        free(path);
        return NULL;
    }
    return path;
}

int output_file_open(struct output_file *file, const char *folder, const char *name,
                     const struct output_member *members)
{
    char *path = join_checked(folder, name, members);
    return path == NULL ? EXIT_CODE_FAILED : open_beside(file, path);
}

/* What is no file has no place to be taken. */
static int open_as_it_is(struct output_file *file, const char *path)
{
    *file = (struct output_file){.path = strdup(path)};
    if (file->path == NULL)
        return messages_out_of_memory();
    file->stream = system_stream_open(path, "w");
    if (file->stream != NULL)
        return EXIT_CODE_OK;
    int code = messages_file("write", path);
    forget(file);
    return code;
}

int output_file_open_path(struct output_file *file, const char *path,
                          const struct output_kind *kind)
{
    system_file_facts facts;
    int code = output_check_file(NULL, path, kind);
    if (code != EXIT_CODE_OK)
        return code;
    bool is_there = system_file_find(path, &facts);
    if (is_there && !facts.is_regular)
        return open_as_it_is(file, path);
    char *target = is_there ? system_folder_resolve(path) : strdup(path);
    if (target == NULL)
        return is_there ? messages_file("write", path) : messages_out_of_memory();
    return open_beside(file, target);
}

/* ---- closing --------------------------------------------------------------------------- */

/* Everything handed over, where it is a file also to the disk, and closed. */
static bool finish_stream(const struct output_file *file)
{
    errno = 0;
    bool is_written = fflush(file->stream) == 0 && !ferror(file->stream);
    if (is_written && file->temporary != NULL)
        is_written = system_file_flush(system_stream_descriptor(file->stream));
    int reason = errno != 0 ? errno : EIO; /* an earlier error has left no reason */
    bool is_closed = fclose(file->stream) == 0;
    if (!is_written)
        errno = reason;
    return is_written && is_closed;
}

/* The new name is safe from a power cut only when the folder is on the disk too. Some file systems
 * cannot do that; the file is complete all the same. */
static void flush_folder(char *path)
{
    size_t n = system_folder_length(path);
    path[n] = '\0';
    system_folder_flush(n == 0 ? "." : path);
}

int output_file_close(struct output_file *file, int code)
{
    bool is_finished = finish_stream(file);
    if (is_finished && file->temporary != NULL && code == EXIT_CODE_OK)
        is_finished = system_file_rename(file->temporary, file->path);
    if (code == EXIT_CODE_OK && !is_finished)
        code = messages_file("write", file->path);
    if (file->temporary != NULL && code == EXIT_CODE_OK)
        flush_folder(file->temporary);
    else if (file->temporary != NULL)
        system_file_remove(file->temporary);
    forget(file);
    return code;
}

int output_file_remove(const char *folder, const char *name, const struct output_member *members)
{
    char *path = join_checked(folder, name, members);
    if (path == NULL)
        return EXIT_CODE_FAILED;
    int code =
        system_file_remove(path) || errno == ENOENT ? EXIT_CODE_OK : messages_file("remove", path);
    free(path);
    return code;
}
