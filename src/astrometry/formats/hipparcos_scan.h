/* Scans of the new reduction of Hipparcos, and the repair of files whose last residuals repeat. */
#ifndef EQUANT_ASTROMETRY_HIPPARCOS_SCAN_H
#define EQUANT_ASTROMETRY_HIPPARCOS_SCAN_H

#include "equant.h"

typedef struct hipparcos_scan {
    double epoch_yr;        /* Julian years since J1991.25 */
    double parallax_factor; /* PARF */
    double east, north;     /* CPSI, SPSI: shares of right ascension and declination */
    double residual_mas;    /* RES */
    double uncertainty_mas; /* SRES; not above zero: rejected */
} hipparcos_scan;

/* Where the tool that wrote a file stepped over n_lost residuals, the last n_lost of them are
 * written twice and all behind the gaps stand beside scans that are not theirs. Drops the repeated
 * residuals and those n_lost scans whose removal makes the residuals what they are: orthogonal to
 * the five parameters that were solved for. The scans that are left move to the front of `scans`;
 * *imbalance is how far from orthogonal they are, in units of what the rounding of residuals makes.
 * Infinite, and nothing has changed, where there is no such set, or more than six are lost. n_lost
 * is below n. */
equant_status hipparcos_scan_repair(hipparcos_scan *scans, size_t n, size_t n_lost,
                                    double *imbalance);

#endif
