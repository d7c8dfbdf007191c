#include "dynamics/nbody_transits.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"

/* Numbers of a planet from first to last; more are no data of a planet. */
#define MOST_NUMBERS 10000000.0

void nbody_transits_free(nbody_transits *own)
{
    free(own->rows);
    free(own->wanted.values);
    free(own->wanted.slopes);
    *own = (nbody_transits){.n = 0};
}

/* From first to last of each planet. */
static equant_status find_ranges(size_t n_planets, size_t n, const int *planet, const int *number,
                                 backend_nbody_transits *wanted, size_t *n_rows)
{
    double total = 0.0;
    for (size_t k = 0; k < n; k++) {
        if (planet[k] < 0 || (size_t)planet[k] >= n_planets)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "transit %zu is of planet %d of %zu planets", k + 1, planet[k] + 1,
                               n_planets);
        struct backend_nbody_numbers *own = &wanted->planet[planet[k]];
        double last = own->n > 0 ? (double)own->first + (double)own->n - 1.0 : number[k];
        double first = own->n > 0 ? fmin(own->first, number[k]) : number[k];
        double many = fmax(last, number[k]) - first + 1.0;
        total += many - (double)own->n;
        if (fabs((double)number[k]) > MOST_NUMBERS || total > MOST_NUMBERS)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "transit %d of planet %d is too far away from the others", number[k],
                               planet[k] + 1);
        own->first = (int)first;
        own->n = (size_t)many;
    }
    *n_rows = (size_t)total;
    return EQUANT_SUCCESS;
}

/* A row for each number, -1 for those that nobody wants. */
static equant_status set_rows(size_t n_planets, size_t n, const int *planet, const int *number,
                              nbody_transits *own)
{
    int *next = own->rows, *of[EQUANT_NBODY_MAX_PLANETS];
    for (size_t p = 0; p < n_planets; p++) {
        own->wanted.planet[p].rows = of[p] = next;
        for (size_t k = 0; k < own->wanted.planet[p].n; k++)
            *next++ = -1;
    }
    for (size_t k = 0; k < n; k++) {
        int *row = &of[planet[k]][number[k] - own->wanted.planet[planet[k]].first];
        if (*row >= 0)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "transit %d of planet %d is there twice", number[k], planet[k] + 1);
        *row = (int)k;
    }
    return EQUANT_SUCCESS;
}

equant_status nbody_transits_create(size_t n_planets, const double *zero_days,
                                    const double *period_days, size_t n, const int *planet,
                                    const int *number, size_t n_directions, nbody_transits *made)
{
    size_t n_rows = 0;
    *made = (nbody_transits){.n = n};
    for (size_t p = 0; p < n_planets; p++) {
        made->wanted.planet[p].zero_days = zero_days[p];
        made->wanted.planet[p].period_days = period_days[p];
    }
    if (n > INT_MAX)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%zu transits are too many", n);
    equant_status status = find_ranges(n_planets, n, planet, number, &made->wanted, &n_rows);
    if (status != EQUANT_SUCCESS)
        return status;
    made->rows = malloc((n_rows + 1) * sizeof *made->rows);
    made->wanted.values = malloc((n * BACKEND_NBODY_TRANSIT + 1) * sizeof *made->wanted.values);
    made->wanted.slopes =
        malloc((n * n_directions * BACKEND_NBODY_TRANSIT + 1) * sizeof *made->wanted.slopes);
    status = made->rows && made->wanted.values && made->wanted.slopes ? EQUANT_SUCCESS
                                                                      : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = set_rows(n_planets, n, planet, number, made);
    if (status != EQUANT_SUCCESS)
        nbody_transits_free(made);
    return status;
}

void nbody_transits_clear(nbody_transits *own)
{
    for (size_t k = 0; k < own->n * BACKEND_NBODY_TRANSIT; k++)
        own->wanted.values[k] = NAN;
}

bool nbody_transits_are_there(const nbody_transits *own)
{
    for (size_t k = 0; k < own->n * BACKEND_NBODY_TRANSIT; k++)
        if (!isfinite(own->wanted.values[k]))
            return false;
    return true;
}
