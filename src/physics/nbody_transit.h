/* Transits of planets that attract each other: where a planet is nearest to the centre of its star
 * on the sky, on the side of the observer.
 *
 *   x, v, a   place, velocity and acceleration of the planet relative to the star
 *   g         x . v on the sky: zero in the middle of a transit, and rising
 *   d, w      distance and speed on the sky there */
#ifndef EQUANT_PHYSICS_NBODY_TRANSIT_H
#define EQUANT_PHYSICS_NBODY_TRANSIT_H

#include "physics/nbody_forces.h"

typedef struct nbody_sight {
    f64 x[3], v[3], a[3];
    f64 g, g_slope;
} nbody_sight;

/* What the middle of a transit is, and its derivatives: time, d, w. */
enum { NBODY_OF_TRANSIT = 3 };

/* Of planet i with accelerations [i + 1][3] of the Jacobi coordinates up to its own. */
LANE_FUNCTION nbody_sight nbody_sight_of(const nbody_system *own, int i, const f64 a[][3])
{
    nbody_sight at;
    for (int k = 0; k < 3; k++) {
        at.x[k] = own->planet[i].r[k];
        at.v[k] = own->planet[i].v[k];
        at.a[k] = a[i][k];
        for (int j = 0; j < i; j++) {
            f64 share = own->planet[j].share;
            at.x[k] = lane_fma(share, own->planet[j].r[k], at.x[k]);
            at.v[k] = lane_fma(share, own->planet[j].v[k], at.v[k]);
            at.a[k] = lane_fma(share, a[j][k], at.a[k]);
        }
    }
    at.g = lane_fma(at.x[0], at.v[0], at.x[1] * at.v[1]);
    at.g_slope =
        lane_fma(at.v[0], at.v[0],
                 lane_fma(at.v[1], at.v[1], lane_fma(at.x[0], at.a[0], at.x[1] * at.a[1])));
    return at;
}

/* Of the Kepler orbits alone. */
LANE_FUNCTION void nbody_kepler_accelerations(const nbody_system *own, int n, f64 a[][3])
{
    for (int j = 0; j < n; j++) {
        nbody_attraction kepler;
        (void)nbody_attraction_of(own->planet[j].r, &kepler);
        for (int k = 0; k < 3; k++)
            a[j][k] = -(own->planet[j].mu * kepler.w) * kepler.d[k];
    }
}

/* All of them: own notices how near bodies are. */
LANE_FUNCTION nbody_sight nbody_see(nbody_system *own, int i)
{
    f64 a[NBODY_MOST_PLANETS][3];
    nbody_forces forces;
    nbody_accelerate(own, &forces);
    nbody_kepler_accelerations(own, i + 1, a);
    for (int j = 0; j <= i; j++)
        for (int k = 0; k < 3; k++)
            a[j][k] = a[j][k] + forces.a[j][k];
    return nbody_sight_of(own, i, (const f64(*)[3])a);
}

/* How the time, d and w of a transit change along a direction. */
LANE_FUNCTION void nbody_transit_tangent(const nbody_system *own, const nbody_tangent *tangent,
                                         int i, const nbody_sight *at, f64 change[NBODY_OF_TRANSIT])
{
    f64 dx[2], dv[2];
    for (int k = 0; k < 2; k++) {
        dx[k] = tangent->planet[i].r[k];
        dv[k] = tangent->planet[i].v[k];
        for (int j = 0; j < i; j++) {
            f64 share = own->planet[j].share, d_share = tangent->planet[j].share;
            dx[k] = lane_fma(share, tangent->planet[j].r[k], dx[k]);
            dx[k] = lane_fma(d_share, own->planet[j].r[k], dx[k]);
            dv[k] = lane_fma(share, tangent->planet[j].v[k], dv[k]);
            dv[k] = lane_fma(d_share, own->planet[j].v[k], dv[k]);
        }
    }
    f64 d_g = lane_fma(dx[0], at->v[0],
                       lane_fma(dx[1], at->v[1], lane_fma(at->x[0], dv[0], at->x[1] * dv[1])));
    f64 d = lane_sqrt(lane_fma(at->x[0], at->x[0], at->x[1] * at->x[1]));
    f64 w = lane_sqrt(lane_fma(at->v[0], at->v[0], at->v[1] * at->v[1]));
    f64 d_time = -lane_divide(d_g, at->g_slope);
    f64 along = lane_fma(at->v[0], at->a[0], at->v[1] * at->a[1]);
    f64 at_once = lane_fma(at->v[0], dv[0], at->v[1] * dv[1]);
    /* Through the centre of the star d has no slope. */
    f64 d_safe = lane_max(d, F64(1e-30));
    change[0] = d_time;
    change[1] = lane_divide(lane_fma(at->x[0], dx[0], at->x[1] * dx[1]), d_safe);
    change[2] = lane_divide(lane_fma(along, d_time, at_once), w);
}

#endif
