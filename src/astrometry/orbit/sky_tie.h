/* From an orbit whose velocities had amplitudes of their own to one whose velocities are those of
 * the star on the sky. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_TIE_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_TIE_H

#include "astrometry/solution/sky_refine.h"

/* Begins from the orbit on the sky, and from orientations in which one orbit explains sky and
 * velocities best: of its shape, and where its period is uncertain of the best shapes of other
 * periods. Takes the most likely end; none has a parallax below its zero point. plain_parallax is
 * that of the sky without an orbit, mas. Where no row is the star's, the size of its orbit is a
 * parameter in place of the parallax. The solution stays as it is where no tied one can be found.
 *
 * *excess becomes by how much chi-square is larger than that of the solution with velocities of
 * their own amplitude, at the jitters of that; NaN where it is not known. Two amplitudes of each
 * orbit are not free any more: where the sky and the velocities are of one dark companion the
 * excess is that of two numbers. */
equant_status sky_tie(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                      double parallax_zero_point_mas, double plain_parallax, sky_solution *solution,
                      double *excess);

#endif
