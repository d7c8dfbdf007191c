/* What a process was at other times, given rows that see it. */
#ifndef EQUANT_NOISE_NOISE_PREDICT_H
#define EQUANT_NOISE_NOISE_PREDICT_H

#include "noise/noise_factor.h"

/* Mean and variance [at->n], either may be NULL; NaN where rounding has eaten the covariance. Takes
 * time in proportion to rows times at, and any process. Instruments of `at` that are negative have
 * no nights. */
equant_status noise_predict_rows(const noise_process *process, const noise_factor_rows *rows,
                                 const double *values, const double *variances,
                                 const noise_factor_rows *at, double *mean, double *variance);

#endif
