/* Transit times that were observed: checked, by planet and number, with a linear ephemeris for each
 * planet. */
#ifndef EQUANT_CORE_NBODY_OBSERVED_TRANSITS_H
#define EQUANT_CORE_NBODY_OBSERVED_TRANSITS_H

#include "equant.h"

struct equant_transits {
    size_t n, n_planets;
    int *planet; /* [n], from 0 in the order of the periods; as the others, owned */
    int *number;
    double *time_days, *error_days;
    struct observed_planet {
        int label; /* 1: b */
        size_t n;
        double zero_days, period_days; /* transit 0 and period of the linear ephemeris */
    } of[EQUANT_NBODY_MAX_PLANETS];
};

/* Rows of labels, numbers, times and errors. Sentences name the line [n] of a row and the file, or,
 * where lines are NULL, its place. */
equant_status observed_transits_create(size_t n, const int *label, const int *number,
                                       const double *time_days, const double *error_days,
                                       const size_t *lines, const char *name,
                                       equant_transits **out);

#endif
