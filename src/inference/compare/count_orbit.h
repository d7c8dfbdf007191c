/* The orbit of a planet that is counted: frequency, eccentricity and mean anomaly at the epoch of
 * the star. What K and omega say is in two amplitudes, which are integrated. */
#ifndef EQUANT_INFERENCE_COMPARE_COUNT_ORBIT_H
#define EQUANT_INFERENCE_COMPARE_COUNT_ORBIT_H

#include "inference/compare/count_star.h"

typedef struct count_orbit {
    double frequency, eccentricity, m0;
} count_orbit;

/* Room to compute columns in. */
typedef struct count_orbit_room {
    size_t n; /* orbits at once, n_obs for each */
    double *mean, *eccentricity, *sine, *cosine;
} count_orbit_room;

equant_status count_orbit_room_create(const count_star *star, size_t n_orbits,
                                      count_orbit_room *made);
void count_orbit_room_free(count_orbit_room *room);

/* cos and sin of the true anomaly of n orbits, [n][2][n_obs]. */
equant_status count_orbit_columns(const count_star *star, size_t n, const count_orbit *orbits,
                                  count_orbit_room *room, double *columns);

#endif
