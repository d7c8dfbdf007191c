/* A scan in which rows of the sky and velocities gain together: a companion of given frequency,
 * eccentricity and M0 has four amplitudes there and two here, and as the two share no parameter of
 * the base, the gain of both is the sum of the gains. */
#ifndef EQUANT_ASTROMETRY_ORBIT_JOINT_SCAN_H
#define EQUANT_ASTROMETRY_ORBIT_JOINT_SCAN_H

#include "astrometry/orbit/sky_grid.h"

/* The best node of each bin, best[grid->n_bins]. The refiner holds the weights, the whitened
 * residual and the orthonormal base behind which the orbit is looked for. */
equant_status joint_scan_run(const sky_refiner *refiner, const sky_grid *grid, int n_threads,
                             sky_scan_node *best);

/* By how much chi-square falls at one node: by the amplitudes on the sky, by those of velocities.
 */
equant_status joint_scan_parts(const sky_refiner *refiner, const sky_scan_node *node,
                               double gain[2]);

#endif
