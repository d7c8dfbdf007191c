#include "core/files/file_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/input_stream.h"
#include "core/files/packed_name.h"
#include "core/status_fail.h"
#include "platform/system_file.h"
#include "platform/system_folder.h"
#include "platform/system_stream.h"

struct file_walk {
    char *path;
    bool is_folder, is_set;
    size_t n_names, next_name; /* of the folder */
    char **names;
    zip_archive *archive; /* the one that is read; NULL: none */
    size_t next_member;
    bool is_at_end;
    char *current; /* path of the last file that was given */
};

bool file_walk_is_set(const file_walk *walk)
{
    return walk->is_set;
}

void file_walk_close(file_walk *walk)
{
    if (walk == NULL)
        return;
    zip_archive_close(walk->archive);
    for (size_t i = 0; i < walk->n_names; i++)
        free(walk->names[i]);
    free(walk->names);
    free(walk->current);
    free(walk->path);
    free(walk);
}

/* ---- folders ------------------------------------------------------------ */

static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder), n_name = strlen(name);
    bool has_slash = n > 0 && folder[n - 1] == '/';
    char *joined = malloc(n + n_name + 2);
    if (joined != NULL)
        snprintf(joined, n + n_name + 2, "%s%s%s", folder, has_slash ? "" : "/", name);
    return joined;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static equant_status add_name(file_walk *walk, const char *name)
{
    system_file_facts about;
    char *path = join(walk->path, name);
    bool is_file = path != NULL && system_file_find(path, &about) && about.is_regular;
    bool is_out_of_memory = path == NULL;
    free(path);
    if (is_out_of_memory)
        return status_out_of_memory();
    if (!is_file || !packed_name_is_table(name))
        return EQUANT_SUCCESS;
    if ((walk->n_names & (walk->n_names + 1)) == 0) { /* room for twice as many, plus one */
        char **grown = realloc(walk->names, (2 * walk->n_names + 1) * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        walk->names = grown;
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return status_out_of_memory();
    walk->names[walk->n_names++] = copy;
    return EQUANT_SUCCESS;
}

static equant_status list_folder(file_walk *walk)
{
    system_folder *folder = system_folder_open(walk->path);
    if (folder == NULL)
        return input_stream_fail_to_open(walk->path, errno);
    equant_status status = EQUANT_SUCCESS;
    const char *name;
    while (status == EQUANT_SUCCESS && (name = system_folder_next(folder)) != NULL)
        status = add_name(walk, name);
    system_folder_close(folder);
    if (status != EQUANT_SUCCESS)
        return status;
    if (walk->n_names == 0)
        return status_fail(EQUANT_ERROR_IO, "%s: this folder has no files", walk->path);
    qsort(walk->names, walk->n_names, sizeof *walk->names, compare_names);
    return EQUANT_SUCCESS;
}

/* ---- archives ----------------------------------------------------------- */

static equant_status open_if_archive(file_walk *walk, const char *path)
{
    system_file_facts about;
    char head[4];
    if (!system_file_find(path, &about) || !about.is_regular)
        return EQUANT_SUCCESS;
    FILE *file = system_stream_open(path, "rb");
    if (file == NULL)
        return input_stream_fail_to_open(path, errno);
    size_t n = fread(head, 1, sizeof head, file);
    fclose(file);
    walk->next_member = 0;
    equant_status status =
        zip_archive_is(head, n) ? zip_archive_open(path, &walk->archive) : EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS && walk->archive != NULL &&
        zip_archive_n_members(walk->archive) == 0)
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: this zip archive has no files", path);
    return status;
}

/* ---- walking ------------------------------------------------------------ */

static equant_status give(file_walk *walk, char *current, const char **path)
{
    free(walk->current);
    walk->current = current;
    *path = current;
    return current != NULL ? EQUANT_SUCCESS : status_out_of_memory();
}

/* The next file of the folder, whose members come next where it is an archive. */
static equant_status next_of_folder(file_walk *walk, const char **path)
{
    equant_status status = give(walk, join(walk->path, walk->names[walk->next_name++]), path);
    return status == EQUANT_SUCCESS ? open_if_archive(walk, walk->current) : status;
}

equant_status file_walk_next(file_walk *walk, const char **path, zip_archive **archive)
{
    *path = NULL;
    *archive = NULL;
    if (walk->archive != NULL && walk->next_member == zip_archive_n_members(walk->archive)) {
        zip_archive_close(walk->archive);
        walk->archive = NULL;
        walk->is_at_end = !walk->is_folder;
    }
    if (walk->archive == NULL && walk->is_folder && walk->next_name < walk->n_names) {
        equant_status status = next_of_folder(walk, path);
        if (status != EQUANT_SUCCESS || walk->archive == NULL)
            return status;
    }
    if (walk->archive != NULL) {
        *archive = walk->archive;
        return give(walk,
                    join(zip_archive_path(walk->archive),
                         zip_archive_member(walk->archive, walk->next_member++)),
                    path);
    }
    if (walk->is_folder || walk->is_at_end)
        return EQUANT_SUCCESS;
    walk->is_at_end = true;
    return give(walk, strdup(walk->path), path);
}

equant_status file_walk_open(const char *path, file_walk **walk)
{
    system_file_facts about;
    if (path[0] == '\0')
        return status_fail(EQUANT_ERROR_IO, "the name of a file is empty");
    file_walk *made = calloc(1, sizeof *made);
    if (made == NULL || (made->path = strdup(path)) == NULL) {
        free(made);
        return status_out_of_memory();
    }
    made->is_folder = system_file_find(path, &about) && about.is_folder;
    equant_status status = made->is_folder ? list_folder(made) : open_if_archive(made, path);
    made->is_set = made->is_folder || made->archive != NULL;
    if (status == EQUANT_SUCCESS)
        *walk = made;
    else
        file_walk_close(made);
    return status;
}
