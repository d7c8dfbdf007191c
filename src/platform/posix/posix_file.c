#define _GNU_SOURCE /* O_TMPFILE */
#include "platform/system_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static bool take(bool is_known, const struct stat *found, system_file_facts *facts)
{
    if (is_known)
        *facts = (system_file_facts){.is_regular = S_ISREG(found->st_mode),
                                     .is_folder = S_ISDIR(found->st_mode),
                                     .n_bytes = found->st_size > 0 ? (uint64_t)found->st_size : 0,
                                     .device = (uint64_t)found->st_dev,
                                     .number = (uint64_t)found->st_ino};
    return is_known;
}

bool system_file_find(const char *path, system_file_facts *facts)
{
    struct stat found;
    return take(stat(path, &found) == 0, &found, facts);
}

bool system_file_find_open(int descriptor, system_file_facts *facts)
{
    struct stat found;
    return take(fstat(descriptor, &found) == 0, &found, facts);
}

bool system_file_is_same(const system_file_facts *one, const system_file_facts *other)
{
    return one->device == other->device && one->number == other->number;
}

bool system_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool system_file_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

int system_file_open(const char *path, system_file_use use)
{
    static const int flags[] = {[SYSTEM_FILE_READ] = O_RDONLY,
                                [SYSTEM_FILE_NEW] = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                                [SYSTEM_FILE_KEPT] = O_RDWR | O_CREAT,
                                [SYSTEM_FILE_LOCKED] = O_RDWR | O_CREAT | O_NOFOLLOW};
    return open(path, flags[use] | O_CLOEXEC, 0666);
}

bool system_file_close(int descriptor)
{
    return close(descriptor) == 0;
}

int system_file_open_nameless(const char *folder)
{
#ifdef O_TMPFILE
    return access("/proc/self/fd", F_OK) == 0 ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
                                              : -1;
#else
    (void)folder;
    return -1;
#endif
}

int system_file_give_name(int descriptor, const char *path)
{
#ifdef O_TMPFILE
    char source[48];
    snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
#else
    (void)descriptor, (void)path;
    return ENOTSUP;
#endif
}

ptrdiff_t system_file_read(int descriptor, void *bytes, size_t n)
{
    return read(descriptor, bytes, n);
}

ptrdiff_t system_file_write(int descriptor, const void *bytes, size_t n)
{
    return write(descriptor, bytes, n);
}

ptrdiff_t system_file_peek(int descriptor, void *bytes, size_t n)
{
    return pread(descriptor, bytes, n, 0);
}

int64_t system_file_seek(int descriptor, int64_t offset, int whence)
{
    return lseek(descriptor, (off_t)offset, whence);
}

bool system_file_cut(int descriptor, int64_t n_bytes)
{
    return ftruncate(descriptor, (off_t)n_bytes) == 0;
}

bool system_file_flush(int descriptor)
{
    return fsync(descriptor) == 0;
}

bool system_file_remove(const char *path)
{
    return unlink(path) == 0;
}

bool system_file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool system_file_random(uint64_t *number)
{
    return getentropy(number, sizeof *number) == 0;
}
