#include "files/input_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_file.h"
#include "platform/system_stream.h"

struct input_file {
    system_file_facts facts;
    char *name; /* NULL: there was no memory for it */
};

static struct input_file *noted;
static size_t n_noted, n_room;
static bool lacks_memory;

static bool find_file(const char *path, system_file_facts *file)
{
    return strcmp(path, "-") == 0 ? system_file_find_open(0, file) : system_file_find(path, file);
}

static bool is_same(const struct input_file *own, const system_file_facts *file)
{
    return system_file_is_same(&own->facts, file);
}

/* A new file may have the number of one that was read and removed, or replaced, since. */
static bool is_still_there(const struct input_file *own)
{
    system_file_facts there;
    return own->name == NULL || (find_file(own->name, &there) && is_same(own, &there));
}

static const struct input_file *find(const system_file_facts *file)
{
    for (size_t i = n_noted; i-- > 0;)
        if (is_same(&noted[i], file) && is_still_there(&noted[i]))
            return &noted[i];
    return NULL;
}

/* Looked for only among the last ones: thousands of records are noted once each. */
static bool is_noted_lately(const system_file_facts *file)
{
    enum { LAST = 16 };
    for (size_t i = n_noted; i-- > 0 && n_noted - i <= LAST;)
        if (is_same(&noted[i], file))
            return true;
    return false;
}

static void note(const system_file_facts *file, const char *path)
{
    if (!file->is_regular || is_noted_lately(file))
        return;
    if (n_noted == n_room) {
        size_t more = 2 * n_room + 16;
        struct input_file *grown = realloc(noted, more * sizeof *noted);
        if (grown == NULL) {
            lacks_memory = true;
            return;
        }
        noted = grown;
        n_room = more;
    }
    noted[n_noted++] = (struct input_file){*file, strdup(path)};
}

/* "ARCHIVE.zip/MEMBER" is a part of the archive. */
static void note_archive(const char *path)
{
    system_file_facts file;
    char *front = strdup(path), *slash;
    lacks_memory = lacks_memory || front == NULL;
    while (front != NULL && (slash = strrchr(front, '/')) != NULL && slash > front) {
        *slash = '\0';
        if (!system_file_find(front, &file))
            continue;
        note(&file, front);
        break;
    }
    free(front);
}

void input_file_note(const char *path)
{
    system_file_facts file;
    if (path != NULL && find_file(path, &file))
        note(&file, path);
    else if (path != NULL && errno == ENOTDIR)
        note_archive(path);
}

int input_file_descriptor(const char *path)
{
    system_file_facts file;
    int descriptor = system_file_open(path, SYSTEM_FILE_READ);
    if (descriptor >= 0 && system_file_find_open(descriptor, &file))
        note(&file, path);
    return descriptor;
}

FILE *input_file_open(const char *path)
{
    int descriptor = input_file_descriptor(path);
    FILE *stream = descriptor < 0 ? NULL : system_stream_of(descriptor, "r");
    if (stream == NULL && descriptor >= 0)
        system_file_close(descriptor);
    return stream;
}

const char *input_file_name(const system_file_facts *file)
{
    const struct input_file *found = find(file);
    if (found == NULL)
        return NULL;
    return found->name != NULL ? found->name : "a file";
}

bool input_file_lacks_memory(void)
{
    return lacks_memory;
}
