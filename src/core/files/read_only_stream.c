#define _GNU_SOURCE /* fopencookie */
#include "core/files/read_only_stream.h"

FILE *read_only_stream_open(void *cookie, ssize_t (*read)(void *cookie, char *buffer, size_t n),
                            int (*close)(void *cookie))
{
    return fopencookie(cookie, "rb", (cookie_io_functions_t){.read = read, .close = close});
}
