/* Sums of columns with the harmonics of a frequency,
 *
 *   S_h = sum over k of c_k exp(i h M_k),   M_k = 2 pi f t_k,   h = 0 to `most`,
 *
 * of several columns at once. Observation by observation that takes a product for each harmonic, of
 * which an eccentric orbit has hundreds. Here each observation is spread over a few cells of a
 * grid of phases, and a transform of the grid, divided by that of the spread, gives all harmonics
 * (Dutt and Rokhlin 1993; the spread is Kaiser's and Bessel's, as in Barnett, Magland and
 * af Klinteberg 2019). */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_HARMONIC_SUMS_H
#define EQUANT_INFERENCE_SELECT_ORBITS_HARMONIC_SUMS_H

#include "equant.h"
#include "inference/select/orbits/double8.h"

/* Columns over the observations, all of them times one more, the weight: those of an observation
 * lie side by side. */
typedef struct weighted_columns {
    size_t n_obs, n, n_packs; /* that hold n numbers */
    const double *time_days;  /* [n_obs], borrowed */
    double8 *rows;            /* [n_obs][n_packs] */
} weighted_columns;

/* Of columns[n], each [n_obs]; to be freed in any case. */
equant_status weighted_columns_create(size_t n_obs, size_t n, const double *time_days,
                                      const double *weight, const double *const *columns,
                                      weighted_columns *made);
void weighted_columns_free(weighted_columns *columns);

typedef struct harmonic_sums {
    size_t most, n_columns, n_packs;
    double8 *re, *im; /* [most + 1][n_packs] */
} harmonic_sums;

/* To be freed in any case. Errors are below 1e-8 of the sum of the |c_k|. */
equant_status harmonic_sums_find(const weighted_columns *of, double frequency_per_day, size_t most,
                                 harmonic_sums *made);
void harmonic_sums_free(harmonic_sums *sums);

#endif
