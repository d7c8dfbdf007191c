/* equant/star.h: the star. What is known of it from elsewhere, with errors. */
#ifndef EQUANT_STAR_H
#define EQUANT_STAR_H

#include <stddef.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zeros mean unknown, or exact in the case of an error. Errors are standard deviations, independent
 * of each other: fits propagate them to first order, and every draw of a posterior has a star of
 * its own, from normal distributions above zero. The mass gives m sin i and a; with the luminosity,
 * or radius and effective temperature in its place, follow insolation and equilibrium temperature.
 */
typedef struct equant_star {
    size_t struct_size;
    double mass, mass_err;                   /* solar masses                             */
    double radius, radius_err;               /* solar radii                              */
    double luminosity, luminosity_err;       /* solar luminosities; 0: from radius and
                                                temperature, where both are known        */
    double temperature_k, temperature_err_k; /* effective temperature                    */
} equant_star;

/* Whether a star can be: nothing is negative or infinite, no error stands alone. NULL can. */
EQUANT_API equant_status equant_star_check(const equant_star *star);

/* Its luminosity in solar units, as given or from radius and temperature, and its mean density in
 * g/cm3, both with propagated errors; NaN where they are unknown. Any of the four may be NULL. */
EQUANT_API equant_status equant_star_derive(const equant_star *star, double *luminosity,
                                            double *luminosity_err, double *density_g_cm3,
                                            double *density_err_g_cm3);

#ifdef __cplusplus
}
#endif
#endif
