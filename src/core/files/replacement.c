#include "core/files/replacement.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "platform/system_file.h"
#include "platform/system_folder.h"

/* Does not grow with the name of the target, which may be as long as the system allows. */
#define NAME_FORMAT ".equant-%016" PRIx64 ".part"
enum { N_NAME = sizeof ".equant-0123456789abcdef.part" };

static equant_status fail(const char *path, int error)
{
    return status_fail(EQUANT_ERROR_IO, "%s: cannot be written: %s", path, strerror(error));
}

/* NULL: out of memory. */
static char *folder_of(const char *path)
{
    size_t n = system_folder_length(path);
    return n == 0 ? strdup(".") : strndup(path, n);
}

/* -1 where this system or the file system of the folder knows no files without names. */
static int create_nameless(const char *path)
{
    char *folder = folder_of(path);
    int descriptor = folder == NULL ? -1 : system_file_open_nameless(folder);
    free(folder);
    return descriptor;
}

/* Tries random names in the folder until one is free. Returns 0 or an errno. */
static int find_name(replacement *made, int take(replacement *made))
{
    size_t n_folder = system_folder_length(made->temporary);
    int error;
    do {
        uint64_t number;
        if (!system_file_random(&number))
            return errno;
        snprintf(made->temporary + n_folder, N_NAME, NAME_FORMAT, number);
        error = take(made);
    } while (error == EEXIST);
    made->has_name = error == 0;
    return error;
}

/* A file or link that somebody has planted is not followed. */
static int create_named(replacement *made)
{
    made->descriptor = system_file_open(made->temporary, SYSTEM_FILE_NEW);
    return made->descriptor >= 0 ? 0 : errno;
}

static int give_name(replacement *made)
{
    return system_file_give_name(made->descriptor, made->temporary);
}

equant_status replacement_check(const char *path, replacement_kind *is_of_kind)
{
    system_file_facts facts;
    if (path[0] == '\0')
        return status_fail(EQUANT_ERROR_IO, "the name of a file is empty");
    if (!system_file_find(path, &facts) || !facts.is_regular || facts.n_bytes == 0)
        return EQUANT_SUCCESS;
    int descriptor = system_file_open(path, SYSTEM_FILE_READ);
    if (descriptor < 0)
        return fail(path, errno);
    bool may_go = is_of_kind(descriptor);
    system_file_close(descriptor);
    if (may_go)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "%s would be overwritten, and is not a file of its kind that equant wrote; "
                       "name another, or remove it",
                       path);
}

equant_status replacement_remove(const char *path, replacement_kind *is_of_kind)
{
    equant_status status = replacement_check(path, is_of_kind);
    if (status == EQUANT_SUCCESS && !system_file_remove(path) && errno != ENOENT)
        status = fail(path, errno);
    return status;
}

equant_status replacement_begin(const char *path, replacement_kind *is_of_kind, replacement *made)
{
    equant_status status = replacement_check(path, is_of_kind);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_folder = system_folder_length(path);
    *made = (replacement){.temporary = malloc(n_folder + N_NAME)};
    if (made->temporary == NULL)
        return status_out_of_memory();
    memcpy(made->temporary, path, n_folder);
    made->temporary[n_folder] = '\0';
    made->descriptor = create_nameless(path);
    int error = made->descriptor >= 0 ? 0 : find_name(made, create_named);
    if (error == 0)
        return EQUANT_SUCCESS;
    free(made->temporary);
    return fail(path, error);
}

/* Returns 0 when the file is on the disk under its own name. */
static int take_place(const char *path, replacement *made)
{
    if (!system_file_flush(made->descriptor))
        return errno;
    int error = made->has_name ? 0 : find_name(made, give_name);
    if (error == 0 && !system_file_rename(made->temporary, path))
        error = errno;
    return error;
}

/* The name of the file is known only to the operating system until its folder is flushed too.
 * Some file systems cannot flush folders; the file is complete all the same. */
static void flush_folder(const char *path)
{
    char *folder = folder_of(path);
    if (folder != NULL)
        system_folder_flush(folder);
    free(folder);
}

equant_status replacement_end(const char *path, replacement *made, equant_status status)
{
    int error = status == EQUANT_SUCCESS ? take_place(path, made) : 0;
    if (!system_file_close(made->descriptor) && status == EQUANT_SUCCESS && error == 0)
        error = errno;
    if (error != 0)
        status = fail(path, error);
    if (status == EQUANT_SUCCESS)
        flush_folder(path);
    else if (made->has_name)
        system_file_remove(made->temporary);
    free(made->temporary);
    return status;
}
