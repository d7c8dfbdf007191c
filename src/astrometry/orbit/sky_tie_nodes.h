/* Orientations in which one orbit explains the sky and the velocities together. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_TIE_NODES_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_TIE_NODES_H

#include "astrometry/solution/sky_orientation.h"
#include "astrometry/solution/sky_refine.h"

enum { SKY_TIE_NODES = 4 };

typedef struct sky_tie_node {
    sky_orientation at;
    double chi_square;
} sky_tie_node;

/* At a given shape of an orbit and a given parallax (mas, a distance) places and velocities are
 * linear in two numbers once inclination and node are known, and in all else that is linear
 * besides. So chi-square is a function of inclination and node alone: its lowest minima, the lowest
 * first. `loose` has velocities that are not tied, and the jitters. */
equant_status sky_tie_nodes_find(sky_refiner *refiner, const sky_solution *loose, size_t orbit,
                                 double parallax, sky_tie_node found[SKY_TIE_NODES],
                                 size_t *n_found);

#endif
