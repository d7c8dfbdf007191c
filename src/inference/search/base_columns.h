/* A solution as the null model of a search for one further planet: whitened residuals, and an
 * orthonormal basis of all parameters that are refitted, to first order, with the new planet. */
#ifndef EQUANT_INFERENCE_SEARCH_BASE_COLUMNS_H
#define EQUANT_INFERENCE_SEARCH_BASE_COLUMNS_H

#include "inference/optimise/solution.h"
#include "noise/noise_factor.h"

/* What a background has beside planets, offsets and trend. */
typedef struct base_terms {
    const noise_factor *factor; /* of the noise, over the observations in their order; NULL: that
                                   of the background */
    bool as_if_white;           /* of the factor take the diagonal of the covariance alone: for what
                                   cannot whiten its columns */
    size_t n_columns;           /* that are fitted along, e.g. indicators */
    const double *columns;      /* [n_columns][n_obs] */
} base_terms;

typedef struct base_columns {
    size_t n_obs, n;
    double *time_days;          /* from the reference time */
    double *root_weight;        /* 1/sqrt D behind a factor */
    const noise_factor *factor; /* that all is whitened by, borrowed or `own`; NULL: by the
                                   weights */
    noise_factor *own;          /* of a background with correlated noise */
    double *residual;           /* orthogonal to the basis */
    double *basis;              /* [n][n_obs] */
    double chi_square;          /* of the residual */
    double log_information;     /* half of ln det of the whitened columns' products: -1 times ln of
                                   the room that the data leave to them */
} base_columns;

/* Offsets, trend and all five elements of every planet behind the first n_fixed, to first
 * order, the indicators of the background, and the columns of the terms (NULL: none): a new planet
 * is judged with the old ones refitted around it. */
equant_status base_columns_create(study *star, const solution *background, size_t n_fixed,
                                  const base_terms *terms, base_columns *columns);
void base_columns_free(base_columns *columns);

/* The correlated noise of a solution as scans know it, factored; the factor is freed by the caller
 * in any case. */
equant_status base_columns_factor(const study *star, const solution *background,
                                  noise_factor *factor);

/* L^-1 of a vector over the observations, in place. */
void base_columns_whiten(const base_columns *columns, double *vector);
/* Takes from a whitened vector what the basis can explain. */
void base_columns_project(const base_columns *columns, double *vector);

#endif
