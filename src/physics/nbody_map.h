/* The map of Wisdom & Holman (1991) in Jacobi coordinates with its symplectic corrector (Wisdom
 * 2006), and the derivatives of both along any directions.
 *
 *   D(h)   Kepler motion of all planets over h      K(h)   their interaction over h
 *
 * A step is D(h/2) K(h) D(h/2); half steps that meet are one. In real coordinates the map makes
 * errors of first order in the masses; to first order they are undone by the change of variables
 * exp(chi), with chi = (1/D - h / (2 sinh(h D/2))) K, where D and K stand for their generators.
 * It is a product of Z(a, b) = D(a) K(b) D(-2a) K(-b) D(a), which has the generator
 * 2 b sinh(a D) K; the b of CORRECTOR match the series of chi through (h D)^(2 n - 1). */
#ifndef EQUANT_PHYSICS_NBODY_MAP_H
#define EQUANT_PHYSICS_NBODY_MAP_H

#include "physics/nbody_forces.h"

/* A system with derivatives in n_groups times as many directions as there are lanes. */
typedef struct nbody_motion {
    nbody_system system;
    int n_groups;
    nbody_tangent *tangents; /* [n_groups] */
} nbody_motion;

/* Directions that are followed together, and the groups that they fill. */
enum {
    NBODY_MOST_DIRECTIONS = 7 * NBODY_MOST_PLANETS, /* mass and elements of each */
    NBODY_MOST_GROUPS = (NBODY_MOST_DIRECTIONS + F64_LANES - 1) / F64_LANES
};

/* a_k = k sqrt(7/40) h and b_k in units of h. */
#define NBODY_CORRECTOR_SPACING 0.418330013267037773989086
#define NBODY_CORRECTOR_STAGES 5
#define NBODY_CORRECTOR                                                                            \
    {                                                                                              \
        0.145186789497685477348506, -0.07624322736257730101729, 0.024618157184039892635089,        \
            -0.00469744305845907083766, 0.000407231592957093026032                                 \
    }

/* Points of Gauss and Legendre: (1 -+ 1/sqrt(3)) / 2. */
#define NBODY_GAUSS_POINT 0.21132486540518711774542560974902

LANE_FUNCTION void nbody_drift_tangent(const nbody_planet *planet, const kepler_step *step,
                                       const kepler_step_slopes *slopes,
                                       struct nbody_planet_tangent *change)
{
    kepler_step_change by = kepler_step_differentiate(step, slopes, planet->mu, planet->r,
                                                      planet->v, change->r, change->v, change->mu);
    for (int k = 0; k < 3; k++) {
        f64 dr = change->r[k], dv = change->v[k], r = planet->r[k], v = planet->v[k];
        f64 moved = lane_fma(step->f_less_one, dr, step->g * dv);
        f64 turned = lane_fma(step->f_dot, dr, step->g_dot_less_one * dv);
        change->r[k] = dr + lane_fma(by.f, r, lane_fma(by.g, v, moved));
        change->v[k] = dv + lane_fma(by.f_dot, r, lane_fma(by.g_dot, v, turned));
    }
}

/* D(h). */
LANE_CALL void nbody_drift(nbody_motion *own, f64 h)
{
    for (int i = 0; i < own->system.n_planets; i++) {
        nbody_planet *planet = &own->system.planet[i];
        kepler_step step;
        kepler_step_begin(planet->r, planet->v, planet->mu, h, &step);
        own->system.least_binding = lane_min(own->system.least_binding, step.beta);
        own->system.failed = lane_select(step.failed, F64(1.0), own->system.failed);
        if (own->n_groups > 0) {
            kepler_step_slopes slopes = kepler_step_slopes_of(&step);
            for (int g = 0; g < own->n_groups; g++)
                nbody_drift_tangent(planet, &step, &slopes, &own->tangents[g].planet[i]);
        }
        for (int k = 0; k < 3; k++) {
            f64 r = planet->r[k], v = planet->v[k];
            nbody_add(&planet->r[k], &planet->r_low[k], lane_fma(step.f_less_one, r, step.g * v));
            nbody_add(&planet->v[k], &planet->v_low[k],
                      lane_fma(step.f_dot, r, step.g_dot_less_one * v));
        }
    }
}

/* K(h) by the accelerations of forces, which are those at the positions of `at`. */
LANE_FUNCTION void nbody_push(nbody_motion *own, const nbody_motion *at, const nbody_forces *forces,
                              f64 h)
{
    for (int g = 0; g < own->n_groups; g++) {
        f64 da[NBODY_MOST_PLANETS][3];
        nbody_accelerate_tangent(&at->system, forces, &at->tangents[g], da);
        for (int i = 0; i < own->system.n_planets; i++)
            for (int k = 0; k < 3; k++) {
                f64 *dv = &own->tangents[g].planet[i].v[k];
                *dv = lane_fma(h, da[i][k], *dv);
            }
    }
    for (int i = 0; i < own->system.n_planets; i++) {
        nbody_planet *planet = &own->system.planet[i];
        for (int k = 0; k < 3; k++)
            nbody_add(&planet->v[k], &planet->v_low[k], h * forces->a[i][k]);
    }
}

/* K(h). */
LANE_CALL void nbody_kick(nbody_motion *own, f64 h)
{
    nbody_forces forces;
    nbody_accelerate(&own->system, &forces);
    nbody_push(own, own, &forces, h);
}

/* K(h) of a step h, at positions that were shifted by h^2 / 12 of their accelerations. */
LANE_CALL void nbody_kick_ahead(nbody_motion *own, f64 h)
{
    nbody_forces forces;
    f64 ahead = h * h * F64(1.0 / 12.0);
    nbody_motion shifted = *own;
    nbody_tangent tangents[NBODY_MOST_GROUPS];
    shifted.tangents = tangents;
    nbody_accelerate(&own->system, &forces);
    for (int g = 0; g < own->n_groups; g++) {
        f64 da[NBODY_MOST_PLANETS][3];
        nbody_accelerate_tangent(&own->system, &forces, &own->tangents[g], da);
        tangents[g] = own->tangents[g];
        for (int i = 0; i < own->system.n_planets; i++)
            for (int k = 0; k < 3; k++)
                tangents[g].planet[i].r[k] = lane_fma(ahead, da[i][k], tangents[g].planet[i].r[k]);
    }
    for (int i = 0; i < own->system.n_planets; i++)
        for (int k = 0; k < 3; k++)
            shifted.system.planet[i].r[k] =
                lane_fma(ahead, forces.a[i][k], shifted.system.planet[i].r[k]);
    nbody_accelerate(&shifted.system, &forces);
    nbody_push(own, &shifted, &forces, h);
    own->system.nearest = shifted.system.nearest;
}

/* The corrector of steps h: from coordinates of the map to real ones, or back, the exact inverse.
 */
LANE_CALL void nbody_correct(nbody_motion *own, double h, int to_real)
{
    static const double weight[NBODY_CORRECTOR_STAGES] = NBODY_CORRECTOR;
    double waiting = 0.0; /* of a drift that the next one takes along */
    for (int stage = 0; stage < NBODY_CORRECTOR_STAGES; stage++) {
        int size = to_real ? stage + 1 : NBODY_CORRECTOR_STAGES - stage;
        double a = (to_real ? size : -size) * NBODY_CORRECTOR_SPACING * h;
        double b = weight[size - 1] * h;
        nbody_drift(own, F64(waiting + a));
        nbody_kick(own, F64(b));
        nbody_drift(own, F64(-2.0 * a));
        nbody_kick(own, F64(-b));
        waiting = a;
    }
    nbody_drift(own, F64(waiting));
}

/* From real coordinates over h, no longer than a step: two kicks at the points of Gauss and
 * Legendre, to fourth order in h. */
LANE_CALL void nbody_move(nbody_motion *own, f64 h)
{
    f64 outside = F64(NBODY_GAUSS_POINT) * h;
    nbody_drift(own, outside);
    nbody_kick(own, F64(0.5) * h);
    nbody_drift(own, F64(1.0 - 2.0 * NBODY_GAUSS_POINT) * h);
    nbody_kick(own, F64(0.5) * h);
    nbody_drift(own, outside);
}

#endif
