/* How much of the evidence for one orbit is on the sky, and how much in the velocities. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_PARTS_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_PARTS_H

#include "astrometry/solution/sky_refine.h"

/* Gains in ln L at the shape and the jitters of a solution with one orbit: of its four amplitudes
 * by the rows of the sky, of two amplitudes by the velocities. NaN where there is not one orbit, or
 * one of the two kinds of rows is missing. */
equant_status sky_parts_find(const sky_data *data, const sky_solution *solution, double gain[2]);

#endif
