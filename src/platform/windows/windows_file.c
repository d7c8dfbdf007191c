#define _CRT_RAND_S
#include "platform/system_file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "platform/windows/windows_name.h"

static bool take(HANDLE handle, system_file_facts *facts)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        *facts = (system_file_facts){.n_bytes = 0};
        return handle != INVALID_HANDLE_VALUE;
    }
    if (!GetFileInformationByHandle(handle, &found)) {
        windows_name_fail();
        return false;
    }
    bool is_folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    *facts =
        (system_file_facts){.is_regular = !is_folder,
                            .is_folder = is_folder,
                            .n_bytes = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
                            .device = found.dwVolumeSerialNumber,
                            .number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow};
    return true;
}

/* A name below a file is ENOTDIR elsewhere; here the system says that there is none. */
static bool is_below_file(const wchar_t *path)
{
    bool is_below = false;
    wchar_t *front = _wcsdup(path);
    for (wchar_t *at = front ? front + wcslen(front) : NULL; at && at > front && !is_below; at--) {
        if (*at != L'/' && *at != L'\\')
            continue;
        *at = L'\0';
        DWORD kind = GetFileAttributesW(front);
        is_below = kind != INVALID_FILE_ATTRIBUTES && !(kind & FILE_ATTRIBUTE_DIRECTORY);
    }
    free(front);
    return is_below;
}

/* Others may read, replace and remove a file that is open, as elsewhere. */
static HANDLE open_name(const char *path, DWORD access, DWORD creation, DWORD flags)
{
    wchar_t *name = windows_name_widen(path);
    if (!name)
        return INVALID_HANDLE_VALUE;
    HANDLE handle =
        CreateFileW(name, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    creation, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        windows_name_fail();
        if (errno == ENOENT && is_below_file(name))
            errno = ENOTDIR;
    }
    free(name);
    return handle;
}

bool system_file_find(const char *path, system_file_facts *facts)
{
    HANDLE handle = open_name(path, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool is_known = take(handle, facts);
    CloseHandle(handle);
    return is_known;
}

bool system_file_find_open(int descriptor, system_file_facts *facts)
{
    return take((HANDLE)_get_osfhandle(descriptor), facts);
}

bool system_file_is_same(const system_file_facts *one, const system_file_facts *other)
{
    return one->device == other->device && one->number == other->number;
}

bool system_file_exists(const char *path)
{
    system_file_facts facts;
    return system_file_find(path, &facts);
}

bool system_file_is_readable(const char *path)
{
    HANDLE handle = open_name(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    return handle != INVALID_HANDLE_VALUE;
}

int system_file_open(const char *path, system_file_use use)
{
    static const struct {
        DWORD access, creation;
        int flags;
    } uses[] = {
        [SYSTEM_FILE_READ] = {GENERIC_READ, OPEN_EXISTING, _O_RDONLY},
        [SYSTEM_FILE_NEW] = {GENERIC_WRITE | DELETE, CREATE_NEW, _O_WRONLY},
        [SYSTEM_FILE_KEPT] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, _O_RDWR},
        [SYSTEM_FILE_LOCKED] = {GENERIC_READ | GENERIC_WRITE | DELETE, OPEN_ALWAYS, _O_RDWR},
    };
    HANDLE handle = open_name(path, uses[use].access, uses[use].creation, FILE_ATTRIBUTE_NORMAL);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    int descriptor = _open_osfhandle((intptr_t)handle, uses[use].flags | _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0)
        CloseHandle(handle);
    return descriptor;
}

bool system_file_close(int descriptor)
{
    return _close(descriptor) == 0;
}

int system_file_open_nameless(const char *folder)
{
    (void)folder;
    return -1;
}

int system_file_give_name(int descriptor, const char *path)
{
    (void)descriptor, (void)path;
    return ENOSYS;
}

static unsigned at_once(size_t n)
{
    return n < (1u << 30) ? (unsigned)n : 1u << 30;
}

ptrdiff_t system_file_read(int descriptor, void *bytes, size_t n)
{
    return _read(descriptor, bytes, at_once(n));
}

ptrdiff_t system_file_write(int descriptor, const void *bytes, size_t n)
{
    return _write(descriptor, bytes, at_once(n));
}

ptrdiff_t system_file_peek(int descriptor, void *bytes, size_t n)
{
    int64_t place = _lseeki64(descriptor, 0, SEEK_CUR);
    if (place < 0 || _lseeki64(descriptor, 0, SEEK_SET) < 0)
        return -1;
    ptrdiff_t n_read = _read(descriptor, bytes, at_once(n));
    return _lseeki64(descriptor, place, SEEK_SET) < 0 ? -1 : n_read;
}

int64_t system_file_seek(int descriptor, int64_t offset, int whence)
{
    return _lseeki64(descriptor, offset, whence);
}

bool system_file_cut(int descriptor, int64_t n_bytes)
{
    return _chsize_s(descriptor, n_bytes) == 0;
}

bool system_file_flush(int descriptor)
{
    return _commit(descriptor) == 0;
}

bool system_file_remove(const char *path)
{
    wchar_t *name = windows_name_widen(path);
    bool is_removed = name && DeleteFileW(name);
    if (name && !is_removed)
        windows_name_fail();
    free(name);
    return is_removed;
}

bool system_file_rename(const char *from, const char *to)
{
    wchar_t *old = windows_name_widen(from), *new = windows_name_widen(to);
    bool is_renamed = old && new &&MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING);
    if (old && new && !is_renamed)
        windows_name_fail();
    free(old);
    free(new);
    return is_renamed;
}

/* One byte far behind the end: locked bytes cannot be read by others, and text is to be. */
int system_file_try_lock(int descriptor, bool is_shared)
{
    OVERLAPPED place = {.OffsetHigh = 0x40000000};
    HANDLE handle = (HANDLE)_get_osfhandle(descriptor);
    DWORD how = LOCKFILE_FAIL_IMMEDIATELY | (is_shared ? 0 : LOCKFILE_EXCLUSIVE_LOCK);
    if (!is_shared) /* of its own that is shared */
        UnlockFileEx(handle, 0, 1, 0, &place);
    if (LockFileEx(handle, how, 0, 1, 0, &place))
        return 0;
    if (GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING)
        return SYSTEM_FILE_BUSY;
    windows_name_fail();
    return errno;
}

bool system_file_random(uint64_t *number)
{
    unsigned low, high;
    if (rand_s(&low) != 0 || rand_s(&high) != 0)
        return false;
    *number = (uint64_t)high << 32 | low;
    return true;
}
