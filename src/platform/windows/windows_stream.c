#include "platform/system_stream.h"

#include <errno.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_file.h"
#include "platform/system_threads.h"
#include "platform/windows/windows_name.h"

/* Files that are open may be replaced and removed; a new one begins empty. */
FILE *system_stream_open(const char *path, const char *mode)
{
    bool writes = mode[0] != 'r';
    int descriptor = system_file_open(path, writes ? SYSTEM_FILE_KEPT : SYSTEM_FILE_READ);
    if (descriptor >= 0 && mode[0] == 'w')
        system_file_cut(descriptor, 0);
    if (descriptor >= 0 && mode[0] == 'a')
        system_file_seek(descriptor, 0, SEEK_END);
    FILE *stream = descriptor < 0 ? NULL : system_stream_of(descriptor, writes ? "r+" : "r");
    if (!stream && descriptor >= 0)
        system_file_close(descriptor);
    return stream;
}

FILE *system_stream_of(int descriptor, const char *mode)
{
    char whole[8] = "";
    strncat(whole, mode, sizeof whole - 2);
    if (!strchr(whole, 'b'))
        strcat(whole, "b");
    return _fdopen(descriptor, whole);
}

int system_stream_descriptor(FILE *stream)
{
    return _fileno(stream);
}

/* Windows forgets nothing: what cannot be written is cut off by the caller. */
void system_stream_discard(FILE *stream)
{
    fseek(stream, 0, SEEK_CUR);
}

/* There are no streams of functions: all that there is to read goes to a temporary file first. */
FILE *system_stream_from(void *cookie, ssize_t (*read)(void *cookie, char *buffer, size_t n),
                         int (*close)(void *cookie))
{
    enum { N_BUFFER = 1 << 16 };
    char *buffer = malloc(N_BUFFER);
    FILE *made = buffer ? tmpfile() : NULL;
    ssize_t n = 0;
    if (made) {
        while ((n = read(cookie, buffer, N_BUFFER)) > 0 &&
               fwrite(buffer, 1, (size_t)n, made) == (size_t)n) {
        }
        if (n != 0) {
            int error = errno;
            fclose(made);
            made = NULL;
            errno = error;
        }
    }
    free(buffer);
    if (!made)
        return NULL;
    rewind(made);
    close(cookie);
    return made;
}

ssize_t system_stream_line(char **line, size_t *room, FILE *stream)
{
    size_t n = 0;
    int character = 0;
    while (character != '\n' && (character = getc(stream)) != EOF) {
        if (n + 2 > *room) {
            size_t more = 2 * *room + 128;
            char *grown = realloc(*line, more);
            if (!grown) {
                errno = ENOMEM;
                return -1;
            }
            *line = grown;
            *room = more;
        }
        (*line)[n++] = (char)character;
    }
    if (n == 0)
        return -1;
    (*line)[n] = '\0';
    return (ssize_t)n;
}

/* Streams that become texts are temporary files, and where their texts go. */
typedef struct text_stream {
    FILE *stream;
    char **text;
    size_t *n_bytes;
    struct text_stream *next;
} text_stream;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static text_stream *first;

FILE *system_stream_to_text(char **text, size_t *n_bytes)
{
    text_stream *made = malloc(sizeof *made);
    FILE *stream = made ? tmpfile() : NULL;
    if (!stream) {
        free(made);
        return NULL;
    }
    *text = NULL;
    *n_bytes = 0;
    pthread_mutex_lock(&lock);
    *made = (text_stream){stream, text, n_bytes, first};
    first = made;
    pthread_mutex_unlock(&lock);
    return stream;
}

static text_stream *find_text(const FILE *stream)
{
    pthread_mutex_lock(&lock);
    text_stream **place = &first;
    while (*place && (*place)->stream != stream)
        place = &(*place)->next;
    text_stream *found = *place;
    if (found)
        *place = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

bool system_stream_close_text(FILE *stream)
{
    text_stream *own = find_text(stream);
    bool is_whole = own && fflush(stream) == 0 && !ferror(stream);
    int64_t n = is_whole ? _ftelli64(stream) : -1;
    char *text = n >= 0 ? malloc((size_t)n + 1) : NULL;
    if (text) {
        rewind(stream);
        is_whole = fread(text, 1, (size_t)n, stream) == (size_t)n;
        text[n] = '\0';
        *own->text = text;
        *own->n_bytes = (size_t)n;
    }
    fclose(stream);
    free(own);
    return is_whole && text;
}
