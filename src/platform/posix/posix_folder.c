#include "platform/system_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool system_folder_make(const char *path)
{
    return mkdir(path, 0777) == 0;
}

bool system_folder_is_writable(const char *path)
{
    return access(path, W_OK | X_OK) == 0;
}

void system_folder_flush(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    close(descriptor);
}

system_folder *system_folder_open(const char *path)
{
    return (system_folder *)opendir(path);
}

const char *system_folder_next(system_folder *folder)
{
    const struct dirent *entry;
    do {
        entry = readdir((DIR *)folder);
    } while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

void system_folder_close(system_folder *folder)
{
    closedir((DIR *)folder);
}

char *system_folder_resolve(const char *path)
{
    return realpath(path, NULL);
}

size_t system_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}
