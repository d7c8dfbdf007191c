/* Coordinates in which posteriors resemble Gaussians more than in those of walkers, for guides:
 *
 *   period    the standard normal deviate at its place in its prior
 *   e, omega  a radius R and the angle omega, with exp(-R^2 / 2) the prior of orbits more eccentric
 *
 * and all others as walkers have them. Where the data say nothing of a period or of a shape, these
 * are normally distributed; a period has no ends, and where the prior has few round orbits, as that
 * of Rayleigh, there is no hole at e = 0. Near a well-known value both are straight lines. */
#ifndef EQUANT_INFERENCE_SAMPLE_EVIDENCE_GUIDE_SPACE_H
#define EQUANT_INFERENCE_SAMPLE_EVIDENCE_GUIDE_SPACE_H

#include "inference/sample/target/posterior_density.h"

/* From coordinates of walkers to those of guides, in place. Returns ln of the volume that a unit of
 * theirs has here. Threads may share the density. */
double guide_space_enter(const posterior_density *density, double *coordinates);

/* And back; the same volume. */
double guide_space_leave(const posterior_density *density, double *coordinates);

#endif
