/* The public equant_sky_solution: fitted columns of a model without companions, as a value. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_COLUMN_SOLUTION_H
#define EQUANT_ASTROMETRY_SOLUTION_COLUMN_SOLUTION_H

#include "astrometry/solution/sky_solution.h"

/* Copies the columns beside orbits of a solution of n_rows rows. */
equant_status column_solution_create(const sky_solution *own, size_t n_rows,
                                     equant_sky_solution **solution);

#endif
