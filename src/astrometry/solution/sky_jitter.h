/* What is added to the errors of rows: the jitters under which the residuals are most likely once
 * all other parameters are integrated, so that their number does not make them too small. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_JITTER_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_JITTER_H

#include "astrometry/solution/sky_refine.h"

/* From the derivatives by n_columns parameters in refiner->columns and the residuals in
 * refiner->residual, as sky_design_fill leaves them. `change` is by how much the logarithm of the
 * weight of a group moved at most. False where the columns are not independent. */
bool sky_jitter_update(sky_refiner *refiner, size_t n_columns, double jitter[SKY_DATA_MAX_GROUPS],
                       double *change);

#endif
