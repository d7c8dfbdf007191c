#include "core/files/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/status_fail.h"

/* Does not grow with the name of the target, which may be as long as the system allows. */
#define NAME_FORMAT ".equant-%016" PRIx64 ".part"
enum { N_NAME = sizeof ".equant-0123456789abcdef.part" };

/* How many bytes of a path are its folder, the slash included; 0: it names none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

static equant_status fail(const char *path, int error)
{
    return status_fail(EQUANT_ERROR_IO, "%s: cannot be written: %s", path, strerror(error));
}

static int open_folder(const char *path, int flags)
{
    size_t n = folder_length(path);
    char *folder = n == 0 ? strdup(".") : strndup(path, n);
    int descriptor = folder == NULL ? -1 : open(folder, flags | O_CLOEXEC, 0666);
    free(folder);
    return descriptor;
}

/* -1 where this system or the file system of the folder knows no files without names. */
static int create_nameless(const char *path)
{
#ifdef O_TMPFILE
    return access("/proc/self/fd", F_OK) == 0 ? open_folder(path, O_TMPFILE | O_WRONLY) : -1;
#else
    (void)path;
    return -1;
#endif
}

/* Tries random names in the folder until one is free. Returns 0 or an errno. */
static int find_name(replacement *made, int take(replacement *made))
{
    size_t n_folder = folder_length(made->temporary);
    int error;
    do {
        uint64_t number;
        if (getentropy(&number, sizeof number) != 0)
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
    made->descriptor =
        open(made->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return made->descriptor >= 0 ? 0 : errno;
}

static int give_name(replacement *made)
{
    char source[48];
    snprintf(source, sizeof source, "/proc/self/fd/%d", made->descriptor);
    return linkat(AT_FDCWD, source, AT_FDCWD, made->temporary, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

equant_status replacement_check(const char *path, replacement_kind *is_of_kind)
{
    struct stat facts;
    if (path[0] == '\0')
        return status_fail(EQUANT_ERROR_IO, "the name of a file is empty");
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0)
        return EQUANT_SUCCESS;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fail(path, errno);
    bool may_go = is_of_kind(descriptor);
    close(descriptor);
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
    if (status == EQUANT_SUCCESS && unlink(path) != 0 && errno != ENOENT)
        status = fail(path, errno);
    return status;
}

equant_status replacement_begin(const char *path, replacement_kind *is_of_kind, replacement *made)
{
    equant_status status = replacement_check(path, is_of_kind);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_folder = folder_length(path);
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
    if (fsync(made->descriptor) != 0)
        return errno;
    int error = made->has_name ? 0 : find_name(made, give_name);
    if (error == 0 && rename(made->temporary, path) != 0)
        error = errno;
    return error;
}

/* The name of the file is known only to the operating system until its folder is flushed too.
 * Some file systems cannot flush folders; the file is complete all the same. */
static void flush_folder(const char *path)
{
    int descriptor = open_folder(path, O_RDONLY | O_DIRECTORY);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    close(descriptor);
}

equant_status replacement_end(const char *path, replacement *made, equant_status status)
{
    int error = status == EQUANT_SUCCESS ? take_place(path, made) : 0;
    if (close(made->descriptor) != 0 && status == EQUANT_SUCCESS && error == 0)
        error = errno;
    if (error != 0)
        status = fail(path, error);
    if (status == EQUANT_SUCCESS)
        flush_folder(path);
    else if (made->has_name)
        unlink(made->temporary);
    free(made->temporary);
    return status;
}
