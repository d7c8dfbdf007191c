/* The columns of a parameter set of a star under study, and which of them evaluators know: orbits,
 * offsets, trend and jitters; not factors of indicators, not parameters of correlated noise. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_SET_COLUMNS_H
#define EQUANT_INFERENCE_LIKELIHOOD_SET_COLUMNS_H

#include "inference/likelihood/study.h"

typedef struct set_columns {
    size_t n_all, n_mean, n_inner; /* columns of a set, those before jitters, an evaluator's */
    size_t first_indicator;
} set_columns;

set_columns set_columns_of(const study *star, const study_shape *shape);

/* Columns beside those of a set: offsets of indicators that are series. */
size_t set_columns_n_series(const study *star);

/* Columns that an evaluator knows. */
void set_columns_squeeze(const study *star, const set_columns *from, const double *set,
                         double *inner);

/* Numbers by an evaluator's columns, as numbers by those of a whole set. */
void set_columns_spread(const study *star, const set_columns *from, const double *inner,
                        double *whole);
/* The same of a matrix. */
void set_columns_spread_matrix(const study *star, const set_columns *from, const double *inner,
                               double *whole);

/* What indicators explain goes from the residuals to the velocities. */
void set_columns_add_indicators(const study *star, const study_shape *shape,
                                const set_columns *from, const double *set, double *velocities,
                                double *residuals);

/* Columns [n_obs][n_mean + 1] of one set from what an evaluator has of it. */
void set_columns_gather(const study *star, const study_shape *shape, const set_columns *from,
                        const double *jacobian, const double *residuals, double *columns);

#endif
