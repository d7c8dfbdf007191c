/* What a sampler of orbits on the sky moves, in this order:
 *   for each orbit ln P, sqrt(e) cos M0, sqrt(e) sin M0, ln s, and then
 *       ln s of its velocities, where these have amplitudes of their own,
 *       A, B, F, G, where velocities are tied to them, since K is not linear in them,
 *       ln of the scale or of the ratio of two orbits, where a solution has one;
 *   the parallax, where velocities are tied to it;
 *   ln(1 + jitter / unit) of each group of rows that has one. */
#ifndef EQUANT_ASTROMETRY_POSTERIOR_SKY_COORDINATES_H
#define EQUANT_ASTROMETRY_POSTERIOR_SKY_COORDINATES_H

#include "astrometry/solution/sky_refine.h"

typedef struct sky_coordinates {
    bool is_tied, has_scale; /* of the solutions */
    bool has_jitter[SKY_DATA_MAX_GROUPS];
    double jitter_unit[SKY_DATA_MAX_GROUPS]; /* the median uncertainty */
} sky_coordinates;

equant_status sky_coordinates_find(const sky_data *data, const sky_solution *solution,
                                   bool has_jitter, sky_coordinates *at);

/* Whether velocities have amplitudes of their own. */
bool sky_coordinates_has_velocities(const sky_solution *solution);

/* Whether two orbits stand beside each other, of which the ratio is sampled. */
bool sky_coordinates_has_ratio(const sky_solution *solution);

size_t sky_coordinates_of_orbit(const sky_solution *solution);

bool sky_coordinates_has_parallax(const sky_coordinates *at);

/* One coordinate after another from a solution whose shapes are e cos M0 and e sin M0. */
void sky_coordinates_write(const sky_coordinates *at, const sky_solution *solution,
                           double *coordinates);

/* Shapes, jitters and whatever else is sampled; what is integrated is zero. scales[n_orbits][2]. */
void sky_coordinates_read(const sky_coordinates *at, const double *x, sky_solution *solution,
                          double scales[][2]);

#endif
