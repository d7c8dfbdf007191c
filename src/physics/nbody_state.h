/* A star and its planets in Jacobi coordinates: planet i moves about the centre of mass of the star
 * and the planets before it. One system in each lane.
 *
 *   r, v     position, au, and velocity, au/day, of a planet; the z axis points to the observer
 *   m        mass, solar masses; of the star m_0
 *   M_i      m_0 + ... + m_i           mu_i  G M_i
 *   low      what rounding added too much to r and v (Kahan 1965)
 */
#ifndef EQUANT_PHYSICS_NBODY_STATE_H
#define EQUANT_PHYSICS_NBODY_STATE_H

#include "physics/lane.h"

/* au^3 / (solar mass day^2), with the nominal solar mass of IAU 2015 B3. */
#define NBODY_G 2.9591220819207774e-4
#define NBODY_M_S_PER_AU_DAY (149597870700.0 / 86400.0)

enum { NBODY_MOST_PLANETS = 10, NBODY_PAIRS = NBODY_MOST_PLANETS * (NBODY_MOST_PLANETS + 1) / 2 };

typedef struct nbody_planet {
    f64 r[3], v[3], r_low[3], v_low[3];
    f64 mass, mu, share; /* share: m_i / M_i */
} nbody_planet;

typedef struct nbody_system {
    int n_planets;
    f64 star_mass;
    f64 nearest;       /* the least of (distance / encounter distance)^2 of two bodies so far */
    f64 least_binding; /* the least 2 mu / r - v^2 of a planet so far: negative where it is unbound
                        */
    f64 failed;        /* 1 where Kepler's equation found no solution, else 0 */
    f64 encounter[NBODY_PAIRS]; /* 1 / squares of the distances below which two bodies meet */
    nbody_planet planet[NBODY_MOST_PLANETS];
} nbody_system;

/* Derivatives of a system in one direction; the star's mass is fixed. */
typedef struct nbody_tangent {
    struct nbody_planet_tangent {
        f64 r[3], v[3], mass, mu, share;
    } planet[NBODY_MOST_PLANETS];
} nbody_tangent;

LANE_FUNCTION void nbody_add(f64 *sum, f64 *low, f64 term)
{
    f64 u = term - *low;
    f64 w = *sum + u;
    *low = (w - *sum) - u;
    *sum = w;
}

/* mu_i and shares from masses. */
LANE_FUNCTION void nbody_weigh(nbody_system *own)
{
    f64 total = own->star_mass;
    for (int i = 0; i < own->n_planets; i++) {
        nbody_planet *planet = &own->planet[i];
        total = total + planet->mass;
        planet->mu = F64(NBODY_G) * total;
        planet->share = lane_divide(planet->mass, total);
    }
}

LANE_FUNCTION void nbody_weigh_tangent(const nbody_system *own, nbody_tangent *tangent)
{
    f64 total = own->star_mass, d_total = F64(0.0);
    for (int i = 0; i < own->n_planets; i++) {
        total = total + own->planet[i].mass;
        d_total = d_total + tangent->planet[i].mass;
        tangent->planet[i].mu = F64(NBODY_G) * d_total;
        tangent->planet[i].share =
            lane_divide(lane_fma(-own->planet[i].share, d_total, tangent->planet[i].mass), total);
    }
}

/* The place of the pair (i, j), i < j, bodies counted from the star as 0. */
LANE_FUNCTION int nbody_pair(int i, int j)
{
    return j * (j - 1) / 2 + i;
}

/* Bodies of 1 g/cm^3 touch at this times the sum of the cube roots of their masses, au. */
#define NBODY_RADIUS 5.22e-3

/* Where two bodies meet: within n_hill mutual Hill radii, at least where they touch. The cube roots
 * of masses are the caller's: [0] is the star's. */
LANE_FUNCTION void nbody_find_encounters(nbody_system *own, const f64 *roots, double n_hill)
{
    f64 a[NBODY_MOST_PLANETS + 1];
    a[0] = F64(0.0);
    for (int j = 1; j <= own->n_planets; j++) {
        const nbody_planet *planet = &own->planet[j - 1];
        f64 r2 =
            planet->r[0] * planet->r[0] + planet->r[1] * planet->r[1] + planet->r[2] * planet->r[2];
        f64 v2 =
            planet->v[0] * planet->v[0] + planet->v[1] * planet->v[1] + planet->v[2] * planet->v[2];
        a[j] = lane_divide(planet->mu, lane_divide(F64(2.0) * planet->mu, lane_sqrt(r2)) - v2);
        for (int i = 0; i < j; i++) {
            f64 touch = F64(NBODY_RADIUS) * (roots[i] + roots[j]);
            /* ((m_i + m_j) / 3 M)^(1/3), within a tenth */
            f64 share = lane_divide(lane_max(roots[i], roots[j]), roots[0]);
            f64 hill = F64(i == 0 ? 0.0 : 0.5 * 0.76 * n_hill) * share * (a[i] + a[j]);
            f64 limit = lane_max(touch, hill);
            own->encounter[nbody_pair(i, j)] = lane_divide(F64(1.0), limit * limit);
        }
    }
}

/* The velocity with which the star recedes, au/day: that of all bodies together is zero. */
LANE_FUNCTION f64 nbody_star_velocity(const nbody_system *own)
{
    f64 sum = F64(0.0);
    for (int i = 0; i < own->n_planets; i++)
        sum = lane_fma(own->planet[i].share, own->planet[i].v[2], sum);
    return sum;
}

LANE_FUNCTION f64 nbody_star_velocity_tangent(const nbody_system *own, const nbody_tangent *tangent)
{
    f64 sum = F64(0.0);
    for (int i = 0; i < own->n_planets; i++) {
        sum = lane_fma(own->planet[i].share, tangent->planet[i].v[2], sum);
        sum = lane_fma(tangent->planet[i].share, own->planet[i].v[2], sum);
    }
    return sum;
}

#endif
