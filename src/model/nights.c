#include "model/nights.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_INSTRUMENTS = NIGHTS_MOST_INSTRUMENTS };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle of the longest part of a day that has no observations. */
static double middle_of_day(size_t n, double *share_of_day)
{
    qsort(share_of_day, n, sizeof *share_of_day, ascending);
    double longest = share_of_day[0] + 1.0 - share_of_day[n - 1];
    double middle = share_of_day[n - 1] + 0.5 * longest;
    for (size_t i = 1; i < n; i++)
        if (share_of_day[i] - share_of_day[i - 1] > longest) {
            longest = share_of_day[i] - share_of_day[i - 1];
            middle = share_of_day[i - 1] + 0.5 * longest;
        }
    return middle;
}

static int made_by(const int *instruments, size_t k)
{
    return instruments ? instruments[k] : 0;
}

static equant_status count_instruments(size_t n, const int *instruments, int *n_instruments)
{
    *n_instruments = 1;
    for (size_t k = 0; k < n; k++) {
        int number = made_by(instruments, k);
        if (number < 0 || number >= MOST_INSTRUMENTS)
            return EQUANT_ERROR_INVALID_ARGUMENT;
        if (number >= *n_instruments)
            *n_instruments = number + 1;
    }
    return EQUANT_SUCCESS;
}

/* The middle of an instrument's day; NaN where it made no row. */
static double day_of(size_t n, const double *time_days, const int *instruments, int number,
                     double *share_of_day)
{
    size_t n_own = 0;
    for (size_t k = 0; k < n; k++)
        if (made_by(instruments, k) == number)
            share_of_day[n_own++] = time_days[k] - floor(time_days[k]);
    return n_own > 0 ? middle_of_day(n_own, share_of_day) : NAN;
}

static void mark_instrument(size_t n, const double *time_days, const int *instruments, int number,
                            double *share_of_day, bool *begins)
{
    double day = day_of(n, time_days, instruments, number, share_of_day), last = -INFINITY;
    for (size_t k = 0; k < n; k++)
        if (made_by(instruments, k) == number) {
            double night = floor(time_days[k] - day);
            begins[k] = night != last;
            last = night;
        }
}

equant_status nights_find(size_t n, const double *time_days, const int *instruments, bool *begins,
                          int *n_instruments)
{
    equant_status status = count_instruments(n, instruments, n_instruments);
    double *share_of_day = malloc((n + 1) * sizeof *share_of_day);
    if (!share_of_day)
        status = EQUANT_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < *n_instruments && status == EQUANT_SUCCESS; i++)
        mark_instrument(n, time_days, instruments, i, share_of_day, begins);
    free(share_of_day);
    return status;
}

equant_status nights_number(size_t n, const double *time_days, const int *instruments, size_t n_at,
                            const double *at_days, const int *at_instruments, double *night)
{
    double *share_of_day = malloc((n + 1) * sizeof *share_of_day), day = NAN;
    int of_day = -1;
    if (!share_of_day)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    for (int number = 0; number < MOST_INSTRUMENTS; number++)
        for (size_t k = 0; k < n_at; k++)
            if (made_by(at_instruments, k) == number) {
                if (of_day != number)
                    day = day_of(n, time_days, instruments, number, share_of_day);
                of_day = number;
                night[k] = isnan(day) ? 0.0 : floor(at_days[k] - day);
            }
    free(share_of_day);
    return EQUANT_SUCCESS;
}

/* The last row of each night, at the row that begins it. */
static void mark_ends(size_t n, const int *instruments, const bool *begins, int *last_row)
{
    int last[MOST_INSTRUMENTS];
    for (int i = 0; i < MOST_INSTRUMENTS; i++)
        last[i] = -1;
    for (size_t k = n; k-- > 0;) {
        int *own = &last[made_by(instruments, k)];
        if (*own < 0)
            *own = (int)k;
        if (begins[k]) {
            last_row[k] = *own;
            *own = -1;
        }
    }
}

void nights_places(size_t n, const int *instruments, const bool *begins, int *place, int *n_places)
{
    int busy_until[MOST_INSTRUMENTS], own[MOST_INSTRUMENTS] = {0};
    *n_places = 0;
    mark_ends(n, instruments, begins, place);
    for (size_t k = 0; k < n; k++) {
        int number = made_by(instruments, k), found = 0;
        if (begins[k]) {
            while (found < *n_places && busy_until[found] >= (int)k)
                found++;
            *n_places += found == *n_places;
            busy_until[found] = place[k];
            own[number] = found;
        }
        place[k] = own[number];
    }
}
