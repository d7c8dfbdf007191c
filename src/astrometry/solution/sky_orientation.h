/* A tied orbit by what its rows are linear in, and how it is turned. At a given inclination and
 * node the star's places and its velocities are both linear in a0 cos omega and a0 sin omega, and
 * both change smoothly through orbits that are seen from above, where A, B, F, G hardly tell
 * inclination and node: steps of a refinement go along these four.
 *
 *   A = x cos Omega - y sin Omega cos i      B = x sin Omega + y cos Omega cos i
 *   F = -y cos Omega - x sin Omega cos i     G = -y sin Omega + x cos Omega cos i
 *   C = y sin i,  H = x sin i                with x = a0 cos omega, y = a0 sin omega */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_ORIENTATION_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_ORIENTATION_H

#include "astrometry/solution/sky_solution.h"

typedef struct sky_orientation {
    double x, y, i, Omega; /* the node where the star recedes */
} sky_orientation;

sky_orientation sky_orientation_of(const sky_solution *solution, size_t orbit);

/* A, B, F, G and side of an orbit; angles may be any. */
void sky_orientation_put(const sky_orientation *own, sky_solution *solution, size_t orbit);

/* Columns of A, B, F, G, C, H for x and for y. */
void sky_orientation_columns(double i, double Omega, double by[2][6]);

/* How A, B, F, G move with x, y, i, Omega: by[which][of]. */
void sky_orientation_slopes(const sky_orientation *own, double by[4][4]);

#endif
