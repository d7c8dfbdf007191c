/* What is told of a companion: Campbell's elements from the parameters of a solution, with their
 * covariance, and the masses that follow. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_ELEMENTS_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_ELEMENTS_H

#include "astrometry/solution/sky_solution.h"

/* star_mass in solar masses, 0: unknown. */
equant_sky_companion sky_elements_tell(const sky_solution *solution, size_t orbit,
                                       double reference_jd, double parallax_zero_point_mas,
                                       double star_mass, double star_mass_err);

/* The mass, in suns, of a dark body that makes a star of `star_mass` go around with this mass
 * function: m^3 = f (M + m)^2. */
double sky_elements_dark_mass(double mass_function, double star_mass);

#endif
