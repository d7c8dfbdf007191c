/* From an orbit whose velocities had amplitudes of their own to one whose velocities are those of
 * the star on the sky. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_TIE_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_TIE_H

#include "astrometry/solution/sky_refine.h"

/* The node that the velocities prefer is taken. Where no row is the star's, the size of its orbit
 * is a parameter in place of the parallax; the solution stays as it is where no tied one can be
 * found. */
equant_status sky_tie(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                      double parallax_zero_point_mas, sky_solution *solution);

#endif
