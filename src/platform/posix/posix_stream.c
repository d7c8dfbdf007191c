#define _GNU_SOURCE /* fopencookie */
#include "platform/system_stream.h"

#include <stdlib.h>
#include <string.h>
#if !defined(__APPLE__)
#include <stdio_ext.h>
#endif

FILE *system_stream_open(const char *path, const char *mode)
{
    char whole[8] = "";
    strncat(whole, mode, sizeof whole - 2);
    strcat(whole, "e");
    return fopen(path, whole);
}

FILE *system_stream_of(int descriptor, const char *mode)
{
    return fdopen(descriptor, mode);
}

int system_stream_descriptor(FILE *stream)
{
    return fileno(stream);
}

void system_stream_discard(FILE *stream)
{
#if defined(__APPLE__)
    fpurge(stream);
#else
    __fpurge(stream);
#endif
}

#if defined(__APPLE__)

typedef struct source {
    void *cookie;
    ssize_t (*read)(void *cookie, char *buffer, size_t n);
    int (*close)(void *cookie);
} source;

static int read_source(void *cookie, char *buffer, int n)
{
    const source *from = cookie;
    return (int)from->read(from->cookie, buffer, (size_t)n);
}

static int close_source(void *cookie)
{
    source *from = cookie;
    int result = from->close(from->cookie);
    free(from);
    return result;
}

FILE *system_stream_from(void *cookie, ssize_t (*read)(void *cookie, char *buffer, size_t n),
                         int (*close)(void *cookie))
{
    source *from = malloc(sizeof *from);
    if (!from)
        return NULL;
    *from = (source){cookie, read, close};
    FILE *stream = funopen(from, read_source, NULL, NULL, close_source);
    if (!stream)
        free(from);
    return stream;
}

#else

FILE *system_stream_from(void *cookie, ssize_t (*read)(void *cookie, char *buffer, size_t n),
                         int (*close)(void *cookie))
{
    return fopencookie(cookie, "rb", (cookie_io_functions_t){.read = read, .close = close});
}

#endif

ssize_t system_stream_line(char **line, size_t *room, FILE *stream)
{
    return getline(line, room, stream);
}

FILE *system_stream_to_text(char **text, size_t *n_bytes)
{
    return open_memstream(text, n_bytes);
}

bool system_stream_close_text(FILE *stream)
{
    return fclose(stream) == 0;
}
