/* Streams of the C library beyond what C has. */
#ifndef EQUANT_PLATFORM_SYSTEM_STREAM_H
#define EQUANT_PLATFORM_SYSTEM_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* A file, byte by byte as it is; not inherited by other programs. */
FILE *system_stream_open(const char *path, const char *mode);
/* Of an open file, which it closes. */
FILE *system_stream_of(int descriptor, const char *mode);
int system_stream_descriptor(FILE *stream);
/* What was written and has not been handed over is forgotten. */
void system_stream_discard(FILE *stream);

/* `read` gives some of the next n bytes, 0 at the end, or -1 with errno. `close` is called by
 * fclose. NULL, and nothing is closed, where there is no memory. */
FILE *system_stream_from(void *cookie, ssize_t (*read)(void *cookie, char *buffer, size_t n),
                         int (*close)(void *cookie));

/* As getline: the next line with its end, in memory that grows; -1: none. */
ssize_t system_stream_line(char **line, size_t *room, FILE *stream);

/* What is written becomes a text, for the caller to free, when the stream is closed. */
FILE *system_stream_to_text(char **text, size_t *n_bytes);
/* false: out of memory; the text is NULL or still to be freed. */
bool system_stream_close_text(FILE *stream);

#endif
