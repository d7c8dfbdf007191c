/* Which transits of which planets are wanted, as an integration takes them. */
#ifndef EQUANT_DYNAMICS_NBODY_TRANSITS_H
#define EQUANT_DYNAMICS_NBODY_TRANSITS_H

#include "core/nbody/nbody_run.h"
#include "dynamics/nbody_elements.h"
#include "equant.h"

typedef struct nbody_transits {
    size_t n;
    backend_nbody_transits wanted;
    int *rows; /* owned, as are values and slopes of wanted */
} nbody_transits;

/* Rows [n] of planets, counted from 0, and numbers, each pair once. Transit 0 of a planet is the
 * one nearest to its zero_days by its period, both since the epoch. Room for slopes along
 * n_directions. */
equant_status nbody_transits_create(size_t n_planets, const double *zero_days,
                                    const double *period_days, size_t n, const int *planet,
                                    const int *number, size_t n_directions, nbody_transits *made);
void nbody_transits_free(nbody_transits *own);

/* Results become NaN before an integration; behind it, whether all rows were reached. */
void nbody_transits_clear(nbody_transits *own);
bool nbody_transits_are_there(const nbody_transits *own);

#endif
