#include "files/output_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "terminal/messages.h"
#include "files/output_folder.h"

static void forget(struct output_file *file)
{
    free(file->path);
    free(file->temporary);
    *file = (struct output_file){0};
}

int output_file_open(struct output_file *file, const char *folder, const char *name)
{
    char temporary_name[128];
    snprintf(temporary_name, sizeof temporary_name, "%s.part", name);
    *file = (struct output_file){.path = output_folder_join(folder, name)};
    file->temporary = file->path == NULL ? NULL : output_folder_join(folder, temporary_name);
    if (file->temporary == NULL) {
        forget(file);
        return EXIT_CODE_FAILED;
    }
    file->stream = fopen(file->temporary, "w");
    if (file->stream != NULL)
        return EXIT_CODE_OK;
    int code = messages_file("write", file->path);
    forget(file);
    return code;
}

/* Everything on the disk, and closed. */
static bool finish_stream(FILE *stream)
{
    errno = 0;
    bool flushed = fflush(stream) == 0 && !ferror(stream);
    int reason = errno != 0 ? errno : EIO; /* an earlier error has left no reason */
    bool closed = fclose(stream) == 0;
    if (!flushed)
        errno = reason;
    return flushed && closed;
}

int output_file_close(struct output_file *file, int code)
{
    bool finished = finish_stream(file->stream);
    if (code == EXIT_CODE_OK && !(finished && rename(file->temporary, file->path) == 0))
        code = messages_file("write", file->path);
    if (code != EXIT_CODE_OK)
        unlink(file->temporary);
    forget(file);
    return code;
}
