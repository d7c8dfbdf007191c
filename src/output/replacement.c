#include "output/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/status.h"

static const char suffix[] = ".partial";

equant_status replacement_begin(const char *path, char **temporary)
{
    if (path[0] == '\0')
        return status_fail(EQUANT_ERROR_IO, "the name of a file is empty");
    size_t n = strlen(path);
    char *name = malloc(n + sizeof suffix);
    if (name == NULL)
        return status_out_of_memory();
    memcpy(name, path, n);
    memcpy(name + n, suffix, sizeof suffix);
    unlink(name);
    *temporary = name;
    return EQUANT_SUCCESS;
}

/* Returns 0 when the contents of the file or folder are on the disk. */
static int flush(const char *path, int flags)
{
    int descriptor = open(path, flags | O_CLOEXEC);
    if (descriptor < 0)
        return errno;
    int error = fsync(descriptor) == 0 ? 0 : errno;
    close(descriptor);
    return error;
}

/* The name of the folder is known only to the operating system until it is flushed too. Some
 * file systems cannot flush folders; the file is complete all the same. */
static void flush_folder(char *path)
{
    (void)flush(dirname(path), O_RDONLY | O_DIRECTORY);
}

equant_status replacement_end(const char *path, char *temporary, equant_status status)
{
    if (status == EQUANT_SUCCESS) {
        int error = flush(temporary, O_RDONLY);
        if (error == 0 && rename(temporary, path) != 0)
            error = errno;
        if (error != 0)
            status =
                status_fail(EQUANT_ERROR_IO, "%s: cannot be written: %s", path, strerror(error));
    }
    if (status == EQUANT_SUCCESS)
        flush_folder(temporary);
    else
        unlink(temporary);
    free(temporary);
    return status;
}
