/* The outliers of a fit, as its callers see them. */
#ifndef EQUANT_INFERENCE_FIT_FIT_OUTLIERS_H
#define EQUANT_INFERENCE_FIT_FIT_OUTLIERS_H

#include "inference/optimise/solution.h"

typedef struct fit_outliers {
    size_t n;
    equant_fitted_outlier *outliers;
    size_t *rows;              /* those of all outliers, one behind the other */
    double *uncertainties_m_s; /* [n_obs], widened */
} fit_outliers;

/* Zero-initialised ones may be freed. */
equant_status fit_outliers_create(study *star, const solution *best, fit_outliers *made);
void fit_outliers_free(fit_outliers *made);

#endif
