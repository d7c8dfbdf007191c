#include "platform/windows/windows_name.h"

#include <errno.h>
#include <stdlib.h>
#include <windows.h>

wchar_t *windows_name_widen(const char *text)
{
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *made = n > 0 ? malloc((size_t)n * sizeof *made) : NULL;
    if (made)
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, made, n);
    else
        errno = n > 0 ? ENOMEM : ENOENT;
    return made;
}

char *windows_name_narrow(const wchar_t *text)
{
    int n = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *made = n > 0 ? malloc((size_t)n) : NULL;
    if (made)
        WideCharToMultiByte(CP_UTF8, 0, text, -1, made, n, NULL, NULL);
    else
        errno = ENOMEM;
    return made;
}

void windows_name_fail(void)
{
    static const struct {
        DWORD code;
        int error;
    } known[] = {{ERROR_FILE_NOT_FOUND, ENOENT},   {ERROR_PATH_NOT_FOUND, ENOENT},
                 {ERROR_INVALID_NAME, ENOENT},     {ERROR_BAD_NETPATH, ENOENT},
                 {ERROR_ACCESS_DENIED, EACCES},    {ERROR_SHARING_VIOLATION, EACCES},
                 {ERROR_WRITE_PROTECT, EROFS},     {ERROR_FILE_EXISTS, EEXIST},
                 {ERROR_ALREADY_EXISTS, EEXIST},   {ERROR_DIRECTORY, ENOTDIR},
                 {ERROR_DIR_NOT_EMPTY, ENOTEMPTY}, {ERROR_DISK_FULL, ENOSPC},
                 {ERROR_HANDLE_DISK_FULL, ENOSPC}, {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                 {ERROR_OUTOFMEMORY, ENOMEM},      {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
                 {ERROR_BROKEN_PIPE, EPIPE},       {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}};
    DWORD code = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            errno = known[i].error;
}
