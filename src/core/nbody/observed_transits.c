#include "core/nbody/observed_transits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/status_fail.h"

/* Parts of a period by which a transit may differ from a linear ephemeris: beyond that its number
 * does not count orbits. */
#define MOST_VARIATION 0.4
#define MOST_LABEL 25 /* z */

/* A row on its way. */
typedef struct transit_row {
    int label, number;
    double time, error;
    size_t place; /* line of the file, or row from 1 */
} transit_row;

typedef struct transit_source {
    const char *name; /* NULL: arrays */
    transit_row *rows;
    size_t n;
} transit_source;

static equant_status refuse(const transit_source *from, size_t place, const char *what)
{
    if (from->name)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: %s", from->name, place, what);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "transit %zu: %s", place, what);
}

static equant_status check_row(const transit_source *from, const transit_row *row)
{
    char text[160];
    if (row->label < 1 || row->label > MOST_LABEL)
        return refuse(from, row->place, "a planet is a letter from b to z, or a number from 1");
    if (!isfinite(row->time))
        return refuse(from, row->place, "the time is not finite");
    if (!(row->error > 0.0 && isfinite(row->error))) {
        snprintf(text, sizeof text, "the error of the time, %g days, is not positive", row->error);
        return refuse(from, row->place, text);
    }
    return EQUANT_SUCCESS;
}

static int compare_rows(const void *left, const void *right)
{
    const transit_row *a = left, *b = right;
    if (a->label != b->label)
        return (a->label > b->label) - (a->label < b->label);
    if (a->number != b->number)
        return (a->number > b->number) - (a->number < b->number);
    return (a->place > b->place) - (a->place < b->place);
}

static equant_status check_order(const transit_source *from)
{
    char text[200];
    for (size_t k = 1; k < from->n; k++) {
        const transit_row *before = &from->rows[k - 1], *own = &from->rows[k];
        if (before->label != own->label)
            continue;
        if (before->number == own->number)
            snprintf(text, sizeof text, "transit %d of planet %c is there twice", own->number,
                     'a' + own->label);
        else if (!(before->time < own->time))
            snprintf(text, sizeof text, "transit %d of planet %c is not later than transit %d",
                     own->number, 'a' + own->label, before->number);
        else
            continue;
        return refuse(from, own->place, text);
    }
    return EQUANT_SUCCESS;
}

/* t = zero + number P, weighted, of the rows of one planet. */
static equant_status find_ephemeris(const transit_source *from, const transit_row *rows, size_t n,
                                    struct observed_planet *made)
{
    char text[200];
    double w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, first = rows[0].time;
    for (size_t k = 0; k < n; k++) {
        double weight = 1.0 / (rows[k].error * rows[k].error);
        w += weight;
        x += weight * rows[k].number;
        y += weight * (rows[k].time - first);
    }
    for (size_t k = 0; k < n; k++) {
        double dx = rows[k].number - x / w, weight = 1.0 / (rows[k].error * rows[k].error);
        xx += weight * dx * dx;
        xy += weight * dx * (rows[k].time - first);
    }
    *made = (struct observed_planet){.label = rows[0].label, .n = n, .period_days = xy / xx};
    made->zero_days = first + y / w - made->period_days * x / w;
    if (n < 2) {
        snprintf(text, sizeof text, "planet %c has one transit: two at least tell its period",
                 'a' + rows[0].label);
        return refuse(from, rows[0].place, text);
    }
    for (size_t k = 0; k < n; k++) {
        double off = rows[k].time - made->zero_days - rows[k].number * made->period_days;
        if (fabs(off) < MOST_VARIATION * made->period_days)
            continue;
        snprintf(text, sizeof text,
                 "transit %d of planet %c is %.3g days off a period of %.6g days: its number does "
                 "not count orbits, or its clock is another one",
                 rows[k].number, 'a' + rows[k].label, off, made->period_days);
        return refuse(from, rows[k].place, text);
    }
    return EQUANT_SUCCESS;
}

static int compare_periods(const void *left, const void *right)
{
    const struct observed_planet *a = left, *b = right;
    return (a->period_days > b->period_days) - (a->period_days < b->period_days);
}

static equant_status find_planets(const transit_source *from, equant_transits *made)
{
    for (size_t k = 0, n; k < from->n; k += n) {
        for (n = 1; k + n < from->n && from->rows[k + n].label == from->rows[k].label;)
            n++;
        if (made->n_planets == EQUANT_NBODY_MAX_PLANETS)
            return refuse(from, from->rows[k].place, "transits are those of 10 planets at most");
        equant_status status =
            find_ephemeris(from, &from->rows[k], n, &made->of[made->n_planets++]);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    qsort(made->of, made->n_planets, sizeof made->of[0], compare_periods);
    return EQUANT_SUCCESS;
}

/* Rows by planet in the order of the periods, then by number. */
static void put_rows(const transit_source *from, equant_transits *made)
{
    size_t to = 0;
    for (size_t p = 0; p < made->n_planets; p++)
        for (size_t k = 0; k < from->n; k++) {
            if (from->rows[k].label != made->of[p].label)
                continue;
            made->planet[to] = (int)p;
            made->number[to] = from->rows[k].number;
            made->time_days[to] = from->rows[k].time;
            made->error_days[to++] = from->rows[k].error;
        }
}

static equant_status make(transit_source *from, equant_transits *made)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; status == EQUANT_SUCCESS && k < from->n; k++)
        status = check_row(from, &from->rows[k]);
    qsort(from->rows, from->n, sizeof *from->rows, compare_rows);
    if (status == EQUANT_SUCCESS)
        status = check_order(from);
    if (status == EQUANT_SUCCESS)
        status = find_planets(from, made);
    if (status == EQUANT_SUCCESS)
        put_rows(from, made);
    return status;
}

equant_status observed_transits_create(size_t n, const int *label, const int *number,
                                       const double *time_days, const double *error_days,
                                       const size_t *lines, const char *name, equant_transits **out)
{
    transit_source from = {.name = name, .n = n, .rows = malloc((n + 1) * sizeof *from.rows)};
    equant_transits *made = calloc(1, sizeof *made);
    equant_status status = from.rows && made ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        made->n = n;
        made->planet = malloc((n + 1) * sizeof *made->planet);
        made->number = malloc((n + 1) * sizeof *made->number);
        made->time_days = malloc((n + 1) * sizeof *made->time_days);
        made->error_days = malloc((n + 1) * sizeof *made->error_days);
        if (!made->planet || !made->number || !made->time_days || !made->error_days)
            status = status_out_of_memory();
    }
    if (status == EQUANT_SUCCESS) {
        for (size_t k = 0; k < n; k++)
            from.rows[k] = (transit_row){label[k], number[k], time_days[k], error_days[k],
                                         lines ? lines[k] : k + 1};
        status = make(&from, made);
    }
    free(from.rows);
    if (status != EQUANT_SUCCESS)
        equant_transits_free(made);
    else
        *out = made;
    return status;
}

equant_status equant_transits_from_arrays(size_t n, const int *planet, const int *number,
                                          const double *time_days, const double *uncertainty_days,
                                          equant_transits **out)
{
    if (!out || n == 0 || !planet || !number || !time_days || !uncertainty_days)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "transits need planets, numbers, times, errors and a place for them");
    return observed_transits_create(n, planet, number, time_days, uncertainty_days, NULL, NULL,
                                    out);
}

void equant_transits_free(equant_transits *own)
{
    if (!own)
        return;
    free(own->planet);
    free(own->number);
    free(own->time_days);
    free(own->error_days);
    free(own);
}

size_t equant_transits_n(const equant_transits *own)
{
    return own ? own->n : 0;
}

size_t equant_transits_n_planets(const equant_transits *own)
{
    return own ? own->n_planets : 0;
}
