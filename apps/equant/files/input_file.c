#include "files/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct input_file {
    dev_t device;
    ino_t inode;
    char *name; /* NULL: there was no memory for it */
};

static struct input_file *noted;
static size_t n_noted, n_room;
static bool lacks_memory;

static bool stat_of(const char *path, struct stat *file)
{
    return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, file) : stat(path, file)) == 0;
}

static bool is_same(const struct input_file *own, const struct stat *file)
{
    return own->device == file->st_dev && own->inode == file->st_ino;
}

/* A new file may have the number of one that was read and removed, or replaced, since. */
static bool is_still_there(const struct input_file *own)
{
    struct stat there;
    return own->name == NULL || (stat_of(own->name, &there) && is_same(own, &there));
}

static const struct input_file *find(const struct stat *file)
{
    for (size_t i = n_noted; i-- > 0;)
        if (is_same(&noted[i], file) && is_still_there(&noted[i]))
            return &noted[i];
    return NULL;
}

/* Looked for only among the last ones: thousands of records are noted once each. */
static bool is_noted_lately(const struct stat *file)
{
    enum { LAST = 16 };
    for (size_t i = n_noted; i-- > 0 && n_noted - i <= LAST;)
        if (is_same(&noted[i], file))
            return true;
    return false;
}

static void note(const struct stat *file, const char *path)
{
    if (!S_ISREG(file->st_mode) || is_noted_lately(file))
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
    noted[n_noted++] = (struct input_file){file->st_dev, file->st_ino, strdup(path)};
}

/* "ARCHIVE.zip/MEMBER" is a part of the archive. */
static void note_archive(const char *path)
{
    struct stat file;
    char *front = strdup(path), *slash;
    lacks_memory = lacks_memory || front == NULL;
    while (front != NULL && (slash = strrchr(front, '/')) != NULL && slash > front) {
        *slash = '\0';
        if (stat(front, &file) != 0)
            continue;
        note(&file, front);
        break;
    }
    free(front);
}

void input_file_note(const char *path)
{
    struct stat file;
    if (path != NULL && stat_of(path, &file))
        note(&file, path);
    else if (path != NULL && errno == ENOTDIR)
        note_archive(path);
}

int input_file_descriptor(const char *path)
{
    struct stat file;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0 && fstat(descriptor, &file) == 0)
        note(&file, path);
    return descriptor;
}

FILE *input_file_open(const char *path)
{
    int descriptor = input_file_descriptor(path);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (stream == NULL && descriptor >= 0)
        close(descriptor);
    return stream;
}

const char *input_file_name(const struct stat *file)
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
