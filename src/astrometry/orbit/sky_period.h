/* The most probable period of an orbit that is not well known.
 *
 * An orbit about as long as the data is fitted by many periods nearly alike, and the best of them
 * is often a long and sharp one that only a narrow range of shapes makes as good. What tells
 * periods apart is then how probable each of them is with all else integrated: constants of the
 * orbit, position and motion exactly, eccentricity and phase on a grid, before the data as samples
 * have them (posterior/sky_density.h). */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_PERIOD_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_PERIOD_H

#include "astrometry/orbit/sky_grid.h"

/* Moves a solution with one orbit of a star, whose rows are of the sky alone, to the best one of
 * its most probable period, where its own is uncertain by more than a twentieth. */
equant_status sky_period_settle(sky_refiner *refiner, const sky_grid *grid, bool has_jitter,
                                sky_solution *solution);

#endif
