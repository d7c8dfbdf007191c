/* Telling from the times alone that one file has, say, JD and another MJD. */
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

/* The median, as a single mistyped time must not speak for its file. */
static equant_status find_median_time(const dataset_builder *rows, double *median)
{
    size_t n = rows->n_obs;
    double *sorted = malloc((n + 1) * sizeof *sorted);
    if (sorted == NULL)
        return status_out_of_memory();
    memcpy(sorted, rows->time_days, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    *median = sorted[n / 2];
    free(sorted);
    return EQUANT_SUCCESS;
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
    if (list->n_files < 2)
        return EQUANT_SUCCESS;
    middle_time earliest = {0}, latest = {0};
    equant_status status = find_extremes(list, &earliest, &latest);
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
