/* The posterior of orbits on the sky with everything that is linear integrated: what is left for a
 * sampler are the shapes of the orbits and the jitters.
 *
 * Before the data all coordinates (sky_coordinates.h) are uniform: the period in its logarithm, e
 * and M0 as they are. A, B, F, G are normal around zero with the scale s, whose logarithm is
 * uniform, so that sizes of all orders are alike and no direction is preferred; without s, orbits
 * so long that they look like proper motion would have all the volume. Position, proper motion,
 * offsets and what else is linear are uniform, the colour has the prior of its row. */
#ifndef EQUANT_ASTROMETRY_POSTERIOR_SKY_DENSITY_H
#define EQUANT_ASTROMETRY_POSTERIOR_SKY_DENSITY_H

#include <stdint.h>

#include "astrometry/solution/sky_refine.h"
#include "inference/sample/walkers/sampler_target.h"

enum { SKY_DENSITY_MAX_COORDINATES = 11 * SKY_SOLUTION_MAX_ORBITS + 1 + SKY_DATA_MAX_GROUPS };

typedef struct sky_density sky_density;

/* Around a solution with orbits, which is copied; the design must outlive the density. */
equant_status sky_density_create(const sky_design *design, const sky_solution *best,
                                 const sky_limits *limits, bool has_jitter, int n_threads,
                                 sky_density **made);
void sky_density_free(sky_density *own);

/* As a sampler sees it: parameters are the coordinates. Its log-likelihood is the integrated one.
 */
sampler_target sky_density_target(sky_density *own);

/* Coordinates near the solution, further apart than the posterior is wide: a function of seed and
 * index alone. False where even the solution itself has a prior of zero. */
bool sky_density_start(const sky_density *own, uint64_t seed, uint64_t index, double *coordinates);

/* The solution of some coordinates, with a draw of all that is linear; `more` are n_more normal
 * numbers for whatever else is drawn. False where columns are not independent. */
bool sky_density_draw(const sky_density *own, const double *coordinates, uint64_t seed,
                      uint64_t index, sky_solution *drawn, size_t n_more, double *more);

#endif
