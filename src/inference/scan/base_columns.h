/* A solution as the background of a search for one planet more: whitened residuals, and an
 * orthonormal basis of everything that may still move beneath a new planet. */
#ifndef EQUANT_INFERENCE_SCAN_BASE_COLUMNS_H
#define EQUANT_INFERENCE_SCAN_BASE_COLUMNS_H

#include "inference/study/solution.h"

typedef struct base_columns {
    size_t n_obs, n;
    double *time_days; /* from the reference time */
    double *root_weight;
    double *residual;  /* orthogonal to the basis */
    double *basis;     /* [n][n_obs] */
    double chi_square; /* of the residual */
} base_columns;

/* Offsets, trend and all five elements of every planet behind the first n_fixed, to first
 * order: a new planet is judged with the old ones refitted around it. */
equant_status base_columns_create(study *star, const solution *background, size_t n_fixed,
                                  base_columns *columns);
void base_columns_free(base_columns *columns);

/* Takes from a whitened vector what the basis can explain. */
void base_columns_project(const base_columns *columns, double *vector);

#endif
