#include "files/output_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_file.h"
#include "platform/system_folder.h"
#include "terminal/messages.h"

static int create_one(const char *path)
{
    system_file_facts facts;
    if (system_folder_make(path))
        return EXIT_CODE_OK;
    if (errno == EEXIST && system_file_find(path, &facts)) {
        if (facts.is_folder)
            return EXIT_CODE_OK;
        errno = ENOTDIR;
    }
    return messages_file("make this folder", path);
}

int output_folder_create(const char *path)
{
    char *upper = strdup(path);
    if (upper == NULL)
        return messages_out_of_memory();
    int code = EXIT_CODE_OK;
    for (char *slash = upper; *slash != '\0' && code == EXIT_CODE_OK; slash++) {
        if (*slash != '/' || slash == upper)
            continue;
        *slash = '\0';
        code = create_one(upper);
        *slash = '/';
    }
    free(upper);
    return code == EXIT_CODE_OK ? create_one(path) : code;
}

char *output_folder_join(const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    char *path = malloc(n);
    if (path == NULL)
        messages_out_of_memory();
    else
        snprintf(path, n, "%s/%s", folder, name);
    return path;
}
