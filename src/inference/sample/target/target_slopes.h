/* How densities change with a point: from derivatives by parameters to those by dimensions, and
 * those of the prior. What target_space.h does forwards, backwards.
 *
 * Functions may be called from several threads. A row is a point of the prior that
 * target_space_prepare has prepared. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_SLOPES_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_SLOPES_H

#include "inference/sample/target/target_space.h"

typedef struct target_row {
    const double *coordinates; /* [n_dimensions], of the smooth space alone */
    const double *parameters;  /* [n_parameters] */
} target_row;

/* By the dimensions, [n_dimensions], of what changes by_parameter, [n_parameters], with the
 * parameters; what is fixed is not looked at. */
void target_slopes_of_point(const target_space *space, target_row row, const double *by_parameter,
                            double *slopes);

/* Those of ln of the prior's density in the space; `work` has room for n_parameters. */
void target_slopes_of_prior(const target_space *space, target_row row, double *work,
                            double *slopes);

#endif
