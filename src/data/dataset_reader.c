/* The public functions that make a data set from files or from their text. */
#include <stdlib.h>

#include "core/files/file_walk.h"
#include "core/status_fail.h"
#include "data/file_observations.h"
#include "data/formats/systemic.h"
#include "data/tables/table_stream.h"
#include "data/text_file.h"
#include "data/time_scale.h"

static equant_status read_text_file(zip_archive *archive, const char *path, char **text,
                                    size_t *n_bytes)
{
    equant_status status = table_stream_read(archive, path, text, n_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    status = text_file_check(*text, *n_bytes, path);
    if (status != EQUANT_SUCCESS) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* ---- a .sys and the files it names ------------------------------------- */

static equant_status append_member(file_list *list, const char *sys_path, size_t line,
                                   text_slice file, const reading_request *request)
{
    char *path = systemic_path(sys_path, file), *text = NULL;
    size_t n_bytes = 0;
    if (path == NULL)
        return status_out_of_memory();
    equant_status status = read_text_file(NULL, path, &text, &n_bytes);
    if (status == EQUANT_ERROR_IO)
        status = status_fail(EQUANT_ERROR_IO,
                             "%s:%zu: names %s, which is not there or cannot be "
                             "read; the files of a .sys belong into its folder",
                             sys_path, line, path);
    else if (status == EQUANT_SUCCESS && systemic_is(text, n_bytes))
        status = status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: names %s, which is a .sys itself",
                             sys_path, line, path);
    else if (status == EQUANT_SUCCESS)
        status = file_observations_append(list, text, n_bytes, path, request);
    free(text);
    free(path);
    return status;
}

/* What a .sys says of its star. */
static equant_status note_star(dataset_builder *rows, const char *text, size_t n_bytes)
{
    char shown[128];
    double mass;
    text_slice name = systemic_star(text, n_bytes, &mass);
    if (name.start == NULL && mass == 0.0)
        return EQUANT_SUCCESS;
    return dataset_builder_set_star(
        rows, name.start != NULL ? text_show(name, shown, sizeof shown) : "", mass);
}

static equant_status append_system(file_list *list, const char *text, size_t n_bytes,
                                   const char *path, const reading_request *request)
{
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice file;
    size_t n_before = list->n_files;
    while (systemic_next_file(&lines, &file)) {
        equant_status status = append_member(list, path, lines.number, file, request);
        if (status == EQUANT_SUCCESS)
            status =
                dataset_builder_set_format(&list->files[list->n_files - 1].rows, "Systemic .sys");
        if (status != EQUANT_SUCCESS)
            return status;
    }
    if (list->n_files == n_before)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: names no file of velocities (a line 'RV[] FILE')", path);
    equant_status noted = note_star(&list->files[n_before].rows, text, n_bytes);
    if (noted != EQUANT_SUCCESS)
        return noted;
    size_t n_transit_files = systemic_n_transit_files(text, n_bytes);
    if (n_transit_files > 0)
        return dataset_builder_warn(&list->files[n_before].rows,
                                    "%s: files of transit times, left out: %zu", path,
                                    n_transit_files);
    return EQUANT_SUCCESS;
}

/* ---- files ------------------------------------------------------------- */

static equant_status append_file(file_list *list, zip_archive *archive, const char *path,
                                 const reading_request *request)
{
    char *text;
    size_t n_bytes;
    equant_status status = read_text_file(archive, path, &text, &n_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    if (systemic_is(text, n_bytes))
        status = append_system(list, text, n_bytes, path, request);
    else
        status = file_observations_append(list, text, n_bytes, path, request);
    free(text);
    return status;
}

/* A file, or all those of a folder or an archive. */
static equant_status append_path(file_list *list, const char *path, const reading_request *request)
{
    file_walk *walk = NULL;
    zip_archive *archive;
    const char *file;
    equant_status status = file_walk_open(path, &walk);
    while (status == EQUANT_SUCCESS) {
        status = file_walk_next(walk, &file, &archive);
        if (status != EQUANT_SUCCESS || file == NULL)
            break;
        status = append_file(list, archive, file, request);
    }
    file_walk_close(walk);
    return status;
}

static equant_status finish(file_list *list, const equant_dataset_options *options,
                            equant_dataset **dataset)
{
    dataset_builder merged = {0};
    equant_status status = time_scale_check(list);
    if (status == EQUANT_SUCCESS)
        status = file_observations_merge(list, &merged);
    if (status != EQUANT_SUCCESS) {
        dataset_builder_free(&merged);
        return status;
    }
    return dataset_builder_finish(&merged, options, dataset);
}

equant_status equant_dataset_from_files(size_t n_files, const char *const *paths,
                                        const equant_dataset_options *options,
                                        equant_dataset **dataset)
{
    if (dataset == NULL || n_files == 0 || paths == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "at least one file and a place for the data set must be given");
    reading_request request;
    equant_status status = reading_request_read(options, &request);
    file_list list = {0};
    for (size_t i = 0; i < n_files && status == EQUANT_SUCCESS; i++)
        status = paths[i] != NULL
                     ? append_path(&list, paths[i], &request)
                     : status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "path %zu is NULL", i);
    if (status == EQUANT_SUCCESS)
        status = finish(&list, options, dataset);
    file_observations_free(&list);
    return status;
}

equant_status equant_dataset_from_text(const char *text, size_t n_bytes, const char *name,
                                       const equant_dataset_options *options,
                                       equant_dataset **dataset)
{
    if (dataset == NULL || name == NULL || (text == NULL && n_bytes > 0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "text, name and a place for the data set must be given: one is NULL");
    reading_request request;
    equant_status status = reading_request_read(options, &request);
    if (status == EQUANT_SUCCESS)
        status = text_file_check(text, n_bytes, name);
    if (status != EQUANT_SUCCESS)
        return status;
    if (systemic_is(text, n_bytes))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: a .sys names other files, and text alone has no folder to look "
                           "in; read it as a file, or the files it names",
                           name);
    file_list list = {0};
    status = file_observations_append(&list, text, n_bytes, name, &request);
    if (status == EQUANT_SUCCESS)
        status = finish(&list, options, dataset);
    file_observations_free(&list);
    return status;
}
