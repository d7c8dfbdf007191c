#include "core/files/read_only_stream.h"

#include "platform/system_stream.h"

FILE *read_only_stream_open(void *cookie, ssize_t (*read)(void *cookie, char *buffer, size_t n),
                            int (*close)(void *cookie))
{
    return system_stream_from(cookie, read, close);
}
