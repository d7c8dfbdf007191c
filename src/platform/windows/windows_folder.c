#include "platform/system_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "platform/system_file.h"
#include "platform/windows/windows_name.h"

struct system_folder {
    HANDLE handle;
    WIN32_FIND_DATAW found;
    bool has_found;
    char *name;
};

bool system_folder_make(const char *path)
{
    wchar_t *name = windows_name_widen(path);
    bool is_made = name && CreateDirectoryW(name, NULL);
    if (name && !is_made)
        windows_name_fail();
    free(name);
    return is_made;
}

/* Who may write is known only when it is tried. */
bool system_folder_is_writable(const char *path)
{
    system_file_facts facts;
    if (!system_file_find(path, &facts))
        return false;
    errno = ENOTDIR;
    return facts.is_folder;
}

void system_folder_flush(const char *path)
{
    (void)path; /* NTFS keeps a journal of names */
}

system_folder *system_folder_open(const char *path)
{
    size_t n = strlen(path) + 3;
    char *pattern = malloc(n);
    system_folder *made = calloc(1, sizeof *made);
    if (pattern)
        strcat(strcpy(pattern, path), "/*");
    wchar_t *wide = pattern ? windows_name_widen(pattern) : NULL;
    free(pattern);
    if (!made || !wide) {
        errno = ENOMEM;
        free(made);
        free(wide);
        return NULL;
    }
    made->handle = FindFirstFileW(wide, &made->found);
    made->has_found = made->handle != INVALID_HANDLE_VALUE;
    free(wide);
    if (made->has_found)
        return made;
    windows_name_fail();
    free(made);
    return NULL;
}

const char *system_folder_next(system_folder *folder)
{
    do {
        free(folder->name);
        folder->name = folder->has_found ? windows_name_narrow(folder->found.cFileName) : NULL;
        folder->has_found = folder->has_found && FindNextFileW(folder->handle, &folder->found);
    } while (folder->name && (strcmp(folder->name, ".") == 0 || strcmp(folder->name, "..") == 0));
    return folder->name;
}

void system_folder_close(system_folder *folder)
{
    FindClose(folder->handle);
    free(folder->name);
    free(folder);
}

char *system_folder_resolve(const char *path)
{
    wchar_t *name = windows_name_widen(path);
    wchar_t *whole = name ? _wfullpath(NULL, name, 0) : NULL;
    char *made = whole ? windows_name_narrow(whole) : NULL;
    free(name);
    free(whole);
    for (char *at = made; at && *at; at++)
        if (*at == '\\')
            *at = '/';
    return made;
}

size_t system_folder_length(const char *path)
{
    size_t n = 0;
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/' || path[i] == '\\' || (i == 1 && path[i] == ':'))
            n = i + 1;
    return n;
}
