/* Files by descriptor, and what the system knows of them. Names are UTF-8, with slashes; bytes are
 * what is on the disk. What fails leaves an errno. */
#ifndef EQUANT_PLATFORM_SYSTEM_FILE_H
#define EQUANT_PLATFORM_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct system_file_facts {
    bool is_regular, is_folder;
    uint64_t n_bytes;
    uint64_t device, number; /* which file it is, whatever its name */
} system_file_facts;

/* Of a name, links followed, or of an open file; false where it cannot be known. */
bool system_file_find(const char *path, system_file_facts *facts);
bool system_file_find_open(int descriptor, system_file_facts *facts);
bool system_file_is_same(const system_file_facts *one, const system_file_facts *other);
bool system_file_exists(const char *path);
bool system_file_is_readable(const char *path);

typedef enum system_file_use {
    SYSTEM_FILE_READ,
    SYSTEM_FILE_NEW,   /* to write; there must be none, nor a link, of this name */
    SYSTEM_FILE_KEPT,  /* to read and write what is there; made where nothing is */
    SYSTEM_FILE_LOCKED /* the same, and not through a link */
} system_file_use;

/* A descriptor that other programs do not inherit; -1: there is none. */
int system_file_open(const char *path, system_file_use use);
bool system_file_close(int descriptor);

/* A new file without a name, gone with a program that is killed; -1 where the system or the file
 * system of the folder knows none. It gets a name that must be free: 0 or an errno. */
int system_file_open_nameless(const char *folder);
int system_file_give_name(int descriptor, const char *path);

/* How many of the next n bytes there were, 0 at the end, or -1. An interrupted call is EINTR. */
ptrdiff_t system_file_read(int descriptor, void *bytes, size_t n);
ptrdiff_t system_file_write(int descriptor, const void *bytes, size_t n);
/* The first bytes of a file, wherever it stands. */
ptrdiff_t system_file_peek(int descriptor, void *bytes, size_t n);
/* As lseek. */
int64_t system_file_seek(int descriptor, int64_t offset, int whence);
bool system_file_cut(int descriptor, int64_t n_bytes);
/* To the disk. */
bool system_file_flush(int descriptor);

bool system_file_remove(const char *path);
/* Whatever had the new name is replaced, at one moment. */
bool system_file_rename(const char *from, const char *to);

/* A lock that other programs respect and that ends with this one: 0, SYSTEM_FILE_BUSY, or an errno
 * where the file system has none. */
enum { SYSTEM_FILE_BUSY = -1 };
int system_file_try_lock(int descriptor, bool is_shared);

/* For names that nobody can foresee. */
bool system_file_random(uint64_t *number);

#endif
