/* How well Gaia measures along its scans. */
#ifndef EQUANT_APP_SKY_GAIA_ERROR_H
#define EQUANT_APP_SKY_GAIA_ERROR_H

/* CCDs that a transit is seen by, as a rule. */
#define GAIA_ERROR_CCDS 8.0

/* The error of one CCD in mas at a magnitude G, of Gaia DR3 with attitude and calibration (the
 * curve in a figure of Holl et al. 2023, A&A 674, A10, which is not published in numbers:
 * docs/astrometry.md says how well it was read). NaN outside of 4.7 to 20.9. */
double gaia_error_of_ccd(double magnitude);

#endif
