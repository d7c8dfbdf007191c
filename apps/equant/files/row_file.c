#include "files/row_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_file.h"
#include "platform/system_stream.h"
#include "terminal/messages.h"

/* File systems without locks are used all the same. */
static int lock(int descriptor, const char *path)
{
    int error = system_file_try_lock(descriptor, false);
    if (error == SYSTEM_FILE_BUSY)
        return messages_failure("%s: in use by another program; wait for it, or name another file",
                                path);
    if (error != 0)
        messages_warning("%s: cannot be locked against other programs: %s", path, strerror(error));
    return EXIT_CODE_OK;
}

/* Whoever waited for the lock may have a file that has been replaced since. */
static bool is_current(int descriptor, const char *path)
{
    system_file_facts ours, there;
    return system_file_find_open(descriptor, &ours) && system_file_find(path, &there) &&
           system_file_is_same(&ours, &there);
}

static int open_regular(struct row_file *file, const char *command, const struct output_kind *kind)
{
    int code = output_check_file(command, file->path, kind);
    if (code != EXIT_CODE_OK)
        return code;
    int descriptor = system_file_open(file->path, SYSTEM_FILE_KEPT);
    if (descriptor < 0)
        return messages_file("write", file->path);
    code = lock(descriptor, file->path);
    if (code == EXIT_CODE_OK && !is_current(descriptor, file->path))
        code = messages_failure("%s: another program has replaced it", file->path);
    if (code == EXIT_CODE_OK) /* it may have been another file before the lock */
        code = output_check_file(command, file->path, kind);
    file->stream = code == EXIT_CODE_OK ? system_stream_of(descriptor, "r+") : NULL;
    if (code == EXIT_CODE_OK && file->stream == NULL)
        code = messages_file("write", file->path);
    if (file->stream == NULL)
        system_file_close(descriptor);
    file->is_regular = true;
    file->end = row_file_size(file);
    return code;
}

static int open_as_it_is(struct row_file *file)
{
    file->stream = system_stream_open(file->path, "w");
    return file->stream != NULL ? EXIT_CODE_OK : messages_file("write", file->path);
}

int row_file_open(struct row_file *file, const char *command, const char *path,
                  const struct output_kind *kind)
{
    system_file_facts facts;
    bool is_other = system_file_find(path, &facts) && !facts.is_regular && !facts.is_folder;
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
    system_file_facts facts;
    bool is_known = file->is_regular && file->stream != NULL &&
                    system_file_find_open(system_stream_descriptor(file->stream), &facts);
    return is_known ? (long)facts.n_bytes : 0;
}

int row_file_cut(struct row_file *file, long size)
{
    if (file->is_regular && (!system_file_cut(system_stream_descriptor(file->stream), size) ||
                             fseek(file->stream, size, SEEK_SET) != 0))
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
        system_stream_discard(file->stream);
        if (system_file_cut(system_stream_descriptor(file->stream), file->end))
            fseek(file->stream, file->end, SEEK_SET);
        clearerr(file->stream);
    }
    return code;
}

void row_file_abandon(struct row_file *file)
{
    if (file->is_regular && row_file_size(file) == 0)
        system_file_remove(file->path);
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
