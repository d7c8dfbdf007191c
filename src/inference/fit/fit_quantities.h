/* Everything that a fit knows, by the names of the catalogue of quantities: what callers of the
 * library hold as equant_fitted_quantity and, with fewer members, as equant_planet. */
#ifndef EQUANT_INFERENCE_FIT_FIT_QUANTITIES_H
#define EQUANT_INFERENCE_FIT_FIT_QUANTITIES_H

#include "inference/optimise/uncertainty.h"

typedef struct fit_quantity {
    quantity_row what;
    quantity_estimate estimate;
} fit_quantity;

typedef struct fit_quantities {
    size_t n;
    fit_quantity *rows; /* [n] */
} fit_quantities;

/* What is estimated: planets from all that follows from them, everything else from the parameter
 * set and its covariance. */
typedef struct fit_quantities_source {
    quantities_shape shape;
    const quantity_estimate (*planets)[QUANTITIES_MOST]; /* [n_planets], by the catalogue   */
    const double *parameters, *covariance;               /* of all columns; NULL: of planets
                                                            alone                           */
} fit_quantities_source;

equant_status fit_quantities_create(const fit_quantities_source *source, fit_quantities *made);
void fit_quantities_free(fit_quantities *made);

/* Writes as much of a row as the caller's struct holds. */
equant_status fit_quantities_give(const fit_quantities *known, size_t index,
                                  equant_fitted_quantity *out);

/* The members of a planet that are quantities; the others are zero. */
equant_planet fit_quantities_planet(const quantity_estimate estimates[QUANTITIES_MOST]);

#endif
