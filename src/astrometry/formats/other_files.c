/* The public list of the files beside the astrometry of a folder or an archive. */
#include <stdlib.h>
#include <string.h>

#include "astrometry/formats/sky_format.h"
#include "core/files/file_walk.h"
#include "core/status_fail.h"
#include "equant.h"

void equant_other_files_free(char **paths, size_t n_paths)
{
    for (size_t i = 0; paths != NULL && i < n_paths; i++)
        free(paths[i]);
    free(paths);
}

static equant_status add(const char *path, char ***paths, size_t *n, size_t *capacity)
{
    if (*n == *capacity) {
        size_t larger = 2 * *capacity + 4;
        char **grown = realloc(*paths, larger * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        *paths = grown;
        *capacity = larger;
    }
    (*paths)[*n] = strdup(path);
    if ((*paths)[*n] == NULL)
        return status_out_of_memory();
    (*n)++;
    return EQUANT_SUCCESS;
}

equant_status equant_other_files_list(const char *path, char ***paths, size_t *n_paths)
{
    if (path == NULL || paths == NULL || n_paths == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a path and places for the files and their number are needed");
    file_walk *walk = NULL;
    zip_archive *archive;
    const char *file;
    char **found = NULL;
    size_t n = 0, capacity = 0;
    equant_status status = file_walk_open(path, &walk);
    while (status == EQUANT_SUCCESS) {
        status = file_walk_next(walk, &file, &archive);
        if (status != EQUANT_SUCCESS || file == NULL)
            break;
        if (file_walk_is_set(walk) && !sky_format_recognises(archive, file))
            status = add(file, &found, &n, &capacity);
    }
    file_walk_close(walk);
    if (status != EQUANT_SUCCESS) {
        equant_other_files_free(found, n);
        return status;
    }
    *paths = found;
    *n_paths = n;
    return EQUANT_SUCCESS;
}
