/* Telling from the times alone that one file has, say, JD and another MJD, or one file both. */
#include "data/time_scale.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* The zero points in use, as days of JD (0, 2400000, 2400000.5, 2440000, 2450000,
 * 2457000), are mostly further apart than this, and the middles of two
 * instruments' velocities are hardly ever. */
static const double century_days = 36525;

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double *sort_times(const dataset_builder *rows)
{
    size_t n = rows->n_obs;
    double *sorted = malloc((n + 1) * sizeof *sorted);
    if (sorted == NULL)
        return NULL;
    memcpy(sorted, rows->time_days, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return sorted;
}

/* The median, as a single mistyped time must not speak for its file. */
static equant_status find_median_time(const dataset_builder *rows, double *median)
{
    double *sorted = sort_times(rows);
    if (sorted == NULL)
        return status_out_of_memory();
    *median = sorted[rows->n_obs / 2];
    free(sorted);
    return EQUANT_SUCCESS;
}

/* The widest gap between times of one file. */
static equant_status check_gap(file_observations *file)
{
    double *sorted = sort_times(&file->rows), widest = 0.0, before = 0.0, after = 0.0;
    if (sorted == NULL)
        return status_out_of_memory();
    for (size_t k = 1; k < file->rows.n_obs; k++)
        if (sorted[k] - sorted[k - 1] > widest) {
            before = sorted[k - 1];
            after = sorted[k];
            widest = after - before;
        }
    free(sorted);
    if (widest <= century_days)
        return EQUANT_SUCCESS;
    return dataset_builder_warn(
        &file->rows,
        "%s: no time lies between %.10g and %.10g, as if a time were mistyped or days were counted "
        "from different zero points; equant does not shift times: correct the file "
        "(JD = MJD + 2400000.5)",
        file->name, before, after);
}

typedef struct middle_time {
    size_t file;
    double days;
} middle_time;

static equant_status find_extremes(const file_list *list, middle_time *earliest,
                                   middle_time *latest)
{
    for (size_t i = 0; i < list->n_files; i++) {
        middle_time here = {.file = i};
        equant_status status = find_median_time(&list->files[i].rows, &here.days);
        if (status != EQUANT_SUCCESS)
            return status;
        if (i == 0 || here.days < earliest->days)
            *earliest = here;
        if (i == 0 || here.days > latest->days)
            *latest = here;
    }
    return EQUANT_SUCCESS;
}

equant_status time_scale_check(file_list *list)
{
    middle_time earliest = {0}, latest = {0};
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < list->n_files && status == EQUANT_SUCCESS; i++)
        status = check_gap(&list->files[i]);
    if (status == EQUANT_SUCCESS && list->n_files > 1)
        status = find_extremes(list, &earliest, &latest);
    if (status != EQUANT_SUCCESS || latest.days - earliest.days <= century_days)
        return status;
    bool is_latest_first = latest.file < earliest.file;
    middle_time first = is_latest_first ? latest : earliest;
    middle_time second = is_latest_first ? earliest : latest;
    return dataset_builder_warn(
        &list->files[second.file].rows,
        "%s: its times lie around %.10g, those of %s around %.10g, as if days were counted from "
        "different zero points; equant does not shift times: convert one of the two files "
        "(JD = MJD + 2400000.5)",
        list->files[second.file].name, second.days, list->files[first.file].name, first.days);
}
