/* Streams of the C library whose bytes come from a function. */
#ifndef EQUANT_CORE_FILES_READ_ONLY_STREAM_H
#define EQUANT_CORE_FILES_READ_ONLY_STREAM_H

#include <errno.h>
#include <stdio.h>
#include <sys/types.h>

/* The errno of a `read` that has made the sentence about its failure itself. */
#define READ_ONLY_STREAM_TOLD EPROTO

/* `read` gives some of the next n bytes, 0 at the end, or -1 with errno. `close` is called by
 * fclose. NULL, and nothing is closed, where there is no memory. */
FILE *read_only_stream_open(void *cookie, ssize_t (*read)(void *cookie, char *buffer, size_t n),
                            int (*close)(void *cookie));

#endif
