/* Least squares by columns that come one after the other: each is made orthogonal to those before
 * it, so that what it explains beside them, and whether it explains anything, is known at once. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_SYSTEM_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"

/* Column j is the sum over i <= j of r[i][j] times column i of q; those of q are orthonormal. */
typedef struct sky_system {
    size_t n_rows, n_columns, capacity;
    double *q; /* [capacity][n_rows]    */
    double *r; /* [capacity][capacity]  */
} sky_system;

equant_status sky_system_create(size_t n_rows, size_t capacity, sky_system *system);
void sky_system_free(sky_system *system);
void sky_system_clear(sky_system *system);

/* False where the columns before leave less than a part in 10^9 of it: then it is not added. */
bool sky_system_add(sky_system *system, const double *column);

/* Takes from a vector what the columns explain of it; shares[n_columns] is how much of each. */
void sky_system_project(const sky_system *system, double *vector, double *shares);

/* From shares to the factors of the columns, in place. */
void sky_system_solve(const sky_system *system, double *shares);

/* The covariance of the factors, [n_columns][n_columns], for rows of unit variance. */
void sky_system_covariance(const sky_system *system, double *covariance);

/* The logarithm of the determinant of the normal matrix. */
double sky_system_log_determinant(const sky_system *system);

#endif
