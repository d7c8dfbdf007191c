/* Several files made one data set, with their instruments told apart. */
#include "data/file_observations.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/table_reader.h"
#include "data/text_number.h"

enum { MAX_NAME = 512, MAX_STAR = 64 };

/* ---- gathering --------------------------------------------------------- */

equant_status file_observations_append(file_list *list, const char *text, size_t n_bytes,
                                       const char *name, const reading_request *request)
{
    file_observations *grown = realloc(list->files, (list->n_files + 1) * sizeof *grown);
    if (grown == NULL)
        return status_out_of_memory();
    list->files = grown;
    file_observations *file = &grown[list->n_files];
    *file = (file_observations){.name = strdup(name)};
    if (file->name == NULL)
        return status_out_of_memory();
    list->n_files++;
    return table_reader_read(text, n_bytes, name, request, &file->rows,
                             &file->has_instrument_column);
}

void file_observations_free(file_list *list)
{
    for (size_t i = 0; i < list->n_files; i++) {
        free(list->files[i].name);
        dataset_builder_free(&list->files[i].rows);
    }
    free(list->files);
    *list = (file_list){0};
}

/* ---- names ------------------------------------------------------------- */

static bool is_number(const char *name)
{
    int value;
    return text_number_read_small_integer((text_slice){name, strlen(name)}, &value);
}

/* True when a name means the same instrument wherever it stands. */
static bool is_own_name(const file_observations *file, const char *name)
{
    return file->has_instrument_column && !is_number(name);
}

static bool is_used_elsewhere(const file_list *list, size_t except, const char *name)
{
    for (size_t i = 0; i < list->n_files; i++) {
        const dataset_builder *rows = &list->files[i].rows;
        for (size_t j = 0; i != except && j < rows->n_instruments; j++)
            if (strcmp(rows->instrument_names[j], name) == 0)
                return true;
    }
    return false;
}

static bool is_known(const dataset_builder *merged, const char *name)
{
    for (size_t i = 0; i < merged->n_instruments; i++)
        if (strcmp(merged->instrument_names[i], name) == 0)
            return true;
    return false;
}

/* The name of a file's instrument in the merged data set. */
static void final_name(const file_list *list, size_t file, const char *name,
                       const dataset_builder *merged, char *result)
{
    snprintf(result, MAX_NAME, "%s", name);
    if (is_own_name(&list->files[file], name))
        return;
    if (!is_used_elsewhere(list, file, name) && !(is_number(name) && list->n_files > 1))
        return;
    char stem[128];
    table_reader_stem(list->files[file].name, stem, sizeof stem);
    snprintf(result, MAX_NAME, "%s (%s)", name, stem);
    for (int count = 2; is_known(merged, result); count++)
        snprintf(result, MAX_NAME, "%s (%s, %d)", name, stem, count);
}

/* ---- merging ----------------------------------------------------------- */

/* Rows from `first` on are those of the file. */
static equant_status merge_indicator(const indicator_column *column, size_t n_rows,
                                     dataset_builder *merged, size_t first)
{
    size_t index;
    equant_status status = indicator_set_find(&merged->indicators, column->name, &index);
    for (size_t k = 0; k < n_rows && status == EQUANT_SUCCESS; k++)
        indicator_set_put(&merged->indicators, index, first + k, column->values[k],
                          column->uncertainties[k]);
    return status;
}

static equant_status merge_rows(file_list *list, size_t file, dataset_builder *merged)
{
    const dataset_builder *rows = &list->files[file].rows;
    int *index = calloc(rows->n_instruments + 1, sizeof *index);
    if (index == NULL)
        return status_out_of_memory();
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < rows->n_instruments && status == EQUANT_SUCCESS; i++) {
        char name[MAX_NAME];
        final_name(list, file, rows->instrument_names[i], merged, name);
        status = dataset_builder_instrument(merged, name, strlen(name), &index[i]);
    }
    size_t first = merged->n_obs;
    for (size_t k = 0; k < rows->n_obs && status == EQUANT_SUCCESS; k++)
        status = dataset_builder_add(merged, rows->time_days[k], rows->velocity_m_s[k],
                                     rows->uncertainty_m_s[k], index[rows->instrument[k]]);
    for (size_t i = 0; i < rows->indicators.n && status == EQUANT_SUCCESS; i++)
        status = merge_indicator(&rows->indicators.columns[i], rows->n_obs, merged, first);
    for (size_t i = 0; i < rows->n_ignored_columns && status == EQUANT_SUCCESS; i++)
        status = dataset_builder_ignore(merged, rows->ignored_columns[i]);
    for (size_t i = 0; i < rows->n_warnings && status == EQUANT_SUCCESS; i++)
        status = dataset_builder_warn(merged, "%s", rows->warnings[i]);
    free(index);
    return status;
}

static equant_status warn_of_repetition(const file_list *list, size_t file, dataset_builder *merged)
{
    for (size_t i = 0; i < file; i++)
        if (strcmp(list->files[i].name, list->files[file].name) == 0)
            return dataset_builder_warn(merged,
                                        "%s: given more than once; its observations count as often",
                                        list->files[file].name);
    return EQUANT_SUCCESS;
}

/* "RadVel table + rdb table" for files of both kinds. */
static equant_status merge_format(const file_list *list, size_t file, dataset_builder *merged)
{
    const char *format = list->files[file].rows.format;
    if (merged->format == NULL)
        return dataset_builder_set_format(merged, format);
    if (strstr(merged->format, format) != NULL)
        return EQUANT_SUCCESS;
    char both[MAX_NAME];
    snprintf(both, sizeof both, "%s + %s", merged->format, format);
    return dataset_builder_set_format(merged, both);
}

/* Small letters and digits, and the sign of "BD+20 2457". */
static void squeeze(const char *name, char squeezed[MAX_STAR])
{
    size_t used = 0;
    for (; *name != '\0' && used + 1 < MAX_STAR; name++)
        if (isalnum((unsigned char)*name) || *name == '+' || (unsigned char)*name >= 0x80)
            squeezed[used++] = (char)tolower((unsigned char)*name);
    squeezed[used] = '\0';
}

/* "HD10180" is "HD 10180"; a star without a name may be any. */
static bool is_same_star(const char *a, const char *b)
{
    char one[MAX_STAR], other[MAX_STAR];
    squeeze(a, one);
    squeeze(b, other);
    return a[0] == '\0' || b[0] == '\0' || strcmp(one, other) == 0;
}

/* The star of the first file that names one; another that differs leaves it unknown. Archives may
 * call one star by different names: what looks like several stars is said, and kept. */
static equant_status merge_star(const file_list *list, dataset_builder *merged)
{
    const file_observations *first = NULL;
    for (size_t i = 0; i < list->n_files; i++) {
        const file_observations *own = &list->files[i];
        if (own->rows.star_name == NULL)
            continue;
        if (first != NULL && !is_same_star(first->rows.star_name, own->rows.star_name))
            return dataset_builder_warn(
                merged, "%s names the star '%s', and %s names '%s'; all were taken for one star",
                first->name, first->rows.star_name, own->name, own->rows.star_name);
        if (first != NULL && first->rows.star_mass != own->rows.star_mass)
            return EQUANT_SUCCESS;
        first = first != NULL ? first : own;
    }
    return first == NULL
               ? EQUANT_SUCCESS
               : dataset_builder_set_star(merged, first->rows.star_name, first->rows.star_mass);
}

/* What all files call their times; nothing where they differ. */
static const char *common_time_name(const file_list *list)
{
    const char *name = list->files[0].rows.time_name;
    for (size_t i = 1; i < list->n_files && name != NULL; i++) {
        const char *other = list->files[i].rows.time_name;
        if (other == NULL || strcmp(other, name) != 0)
            return NULL;
    }
    return name;
}

equant_status file_observations_merge(file_list *list, dataset_builder *merged)
{
    if (list->n_files == 1) {
        *merged = list->files[0].rows;
        list->files[0].rows = (dataset_builder){0};
        return EQUANT_SUCCESS;
    }
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < list->n_files && status == EQUANT_SUCCESS; i++) {
        status = merge_rows(list, i, merged);
        if (status == EQUANT_SUCCESS)
            status = merge_format(list, i, merged);
        if (status == EQUANT_SUCCESS)
            status = warn_of_repetition(list, i, merged);
    }
    if (status == EQUANT_SUCCESS)
        status = merge_star(list, merged);
    merged->unit = list->n_files > 0 ? list->files[0].rows.unit : EQUANT_UNIT_M_S;
    merged->time_name = list->n_files > 0 ? common_time_name(list) : NULL;
    return status;
}
