/* Orientations of an orbit that a star's velocities allow, and which of them the sky likes best. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_TIE_NODES_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_TIE_NODES_H

#include "astrometry/solution/sky_refine.h"

enum { SKY_TIE_NODES = 4 };

/* The velocities of an orbit tell its omega and, with the parallax (mas, a distance), a0 sin i.
 * What is left open, the inclination and the node, is a surface, on which chi-square of the sky is
 * a quadratic form once everything else that is linear is solved for: its lowest minima on a grid,
 * the lowest first. `loose` has velocities that are not tied. */
equant_status sky_tie_nodes_find(sky_refiner *refiner, const sky_solution *loose, size_t orbit,
                                 double parallax, sky_elements found[SKY_TIE_NODES],
                                 size_t *n_found);

#endif
