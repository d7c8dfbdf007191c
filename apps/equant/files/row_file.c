#include "files/row_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/messages.h"

/* File systems without locks are used all the same. */
static int lock(int descriptor, const char *path)
{
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return EXIT_CODE_OK;
    if (errno == EWOULDBLOCK)
        return messages_failure("%s: in use by another program; wait for it, or name another file",
                                path);
    messages_warning("%s: cannot be locked against other programs: %s", path, strerror(errno));
    return EXIT_CODE_OK;
}

/* Whoever waited for the lock may have a file that has been replaced since. */
static bool is_current(int descriptor, const char *path)
{
    struct stat ours, there;
    return fstat(descriptor, &ours) == 0 && stat(path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

static int open_regular(struct row_file *file, const char *command, const struct output_kind *kind)
{
    int code = output_check_file(command, file->path, kind);
    if (code != EXIT_CODE_OK)
        return code;
    int descriptor = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return messages_file("write", file->path);
    code = lock(descriptor, file->path);
    if (code == EXIT_CODE_OK && !is_current(descriptor, file->path))
        code = messages_failure("%s: another program has replaced it", file->path);
    if (code == EXIT_CODE_OK) /* it may have been another file before the lock */
        code = output_check_file(command, file->path, kind);
    file->stream = code == EXIT_CODE_OK ? fdopen(descriptor, "r+") : NULL;
    if (code == EXIT_CODE_OK && file->stream == NULL)
        code = messages_file("write", file->path);
    if (file->stream == NULL)
        close(descriptor);
    file->is_regular = true;
    file->end = row_file_size(file);
    return code;
}

static int open_as_it_is(struct row_file *file)
{
    file->stream = fopen(file->path, "we");
    return file->stream != NULL ? EXIT_CODE_OK : messages_file("write", file->path);
}

int row_file_open(struct row_file *file, const char *command, const char *path,
                  const struct output_kind *kind)
{
    struct stat facts;
    bool is_other = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
    *file = (struct row_file){.path = strdup(path)};
    if (file->path == NULL)
        return messages_out_of_memory();
    int code = is_other ? open_as_it_is(file) : open_regular(file, command, kind);
    if (code != EXIT_CODE_OK) {
        free(file->path);
        *file = (struct row_file){0};
    }
    return code;
}

long row_file_size(const struct row_file *file)
{
    struct stat facts;
    bool is_known =
        file->is_regular && file->stream != NULL && fstat(fileno(file->stream), &facts) == 0;
    return is_known ? (long)facts.st_size : 0;
}

int row_file_cut(struct row_file *file, long size)
{
    if (file->is_regular &&
        (ftruncate(fileno(file->stream), size) != 0 || fseek(file->stream, size, SEEK_SET) != 0))
        return messages_file("write", file->path);
    file->end = size;
    return EXIT_CODE_OK;
}

int row_file_flush(struct row_file *file)
{
    errno = 0;
    if (fflush(file->stream) == 0 && !ferror(file->stream)) {
        file->end = file->is_regular ? ftell(file->stream) : 0;
        return EXIT_CODE_OK;
    }
    int code = messages_file("write", file->path);
    if (file->is_regular) {
        __fpurge(file->stream);
        if (ftruncate(fileno(file->stream), file->end) == 0)
            fseek(file->stream, file->end, SEEK_SET);
        clearerr(file->stream);
    }
    return code;
}

void row_file_abandon(struct row_file *file)
{
    if (file->is_regular && row_file_size(file) == 0)
        unlink(file->path);
    fclose(file->stream);
    free(file->path);
    *file = (struct row_file){0};
}

int row_file_close(struct row_file *file, int code)
{
    if (file->stream == NULL)
        return code;
    int flushed = row_file_flush(file);
    bool is_closed = fclose(file->stream) == 0;
    if (code == EXIT_CODE_OK)
        code = flushed;
    if (code == EXIT_CODE_OK && !is_closed)
        code = messages_file("write", file->path);
    free(file->path);
    *file = (struct row_file){0};
    return code;
}
