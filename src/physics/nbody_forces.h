/* What planets add to their Kepler motion: accelerations in Jacobi coordinates, less those of the
 * Kepler orbits, and their derivatives. Symbols as in nbody_state.h, and
 *
 *   x_i      position of planet i relative to the star, x_1 = r_1
 *   c_i      centre of mass of the star and the planets up to i, relative to the star
 *   A_i      acceleration of body i by all others, but for that of star and first planet on
 *            each other, which is their Kepler motion
 *   C_i      acceleration of the centre of mass of the bodies up to i
 *   w        1 / d^3 of a pair of bodies at distance d
 */
#ifndef EQUANT_PHYSICS_NBODY_FORCES_H
#define EQUANT_PHYSICS_NBODY_FORCES_H

#include "physics/kepler_step.h"
#include "physics/nbody_state.h"

/* Two bodies: d from the first to the second. */
typedef struct nbody_attraction {
    f64 d[3], w, w_slope; /* w_slope: 3 / d^5 */
} nbody_attraction;

typedef struct nbody_forces {
    nbody_attraction pair[NBODY_PAIRS];
    nbody_attraction jacobi[NBODY_MOST_PLANETS]; /* r_i itself */
    f64 a[NBODY_MOST_PLANETS][3];                /* the accelerations that are wanted */
} nbody_forces;

LANE_FUNCTION f64 nbody_attraction_of(const f64 d[3], nbody_attraction *out)
{
    f64 square = nbody_dot(d, d);
    f64 inverse_square = lane_divide(F64(1.0), square);
    f64 w = inverse_square * lane_sqrt(inverse_square);
    for (int k = 0; k < 3; k++)
        out->d[k] = d[k];
    out->w = w;
    out->w_slope = F64(3.0) * w * inverse_square;
    return square;
}

/* Positions relative to the star, body 0. */
LANE_FUNCTION void nbody_positions(const nbody_system *own, f64 x[][3])
{
    f64 c[3] = {F64(0.0), F64(0.0), F64(0.0)};
    for (int k = 0; k < 3; k++)
        x[0][k] = F64(0.0);
    for (int i = 0; i < own->n_planets; i++)
        for (int k = 0; k < 3; k++) {
            x[i + 1][k] = c[k] + own->planet[i].r[k];
            c[k] = lane_fma(own->planet[i].share, own->planet[i].r[k], c[k]);
        }
}

/* From accelerations A of bodies to those of Jacobi coordinates, less the Kepler terms. */
LANE_FUNCTION void nbody_to_jacobi(const nbody_system *own, const f64 A[][3],
                                   const nbody_attraction *jacobi, f64 a[][3])
{
    f64 C[3];
    for (int k = 0; k < 3; k++)
        C[k] = A[0][k];
    for (int i = 0; i < own->n_planets; i++)
        for (int k = 0; k < 3; k++) {
            f64 relative = A[i + 1][k] - C[k];
            C[k] = lane_fma(own->planet[i].share, relative, C[k]);
            a[i][k] = relative;
            if (i > 0)
                a[i][k] = lane_fma(own->planet[i].mu * jacobi[i].w, jacobi[i].d[k], relative);
        }
}

LANE_CALL void nbody_accelerate(nbody_system *own, nbody_forces *out)
{
    f64 x[NBODY_MOST_PLANETS + 1][3], A[NBODY_MOST_PLANETS + 1][3], mass[NBODY_MOST_PLANETS + 1];
    int n = own->n_planets;
    nbody_positions(own, x);
    mass[0] = F64(NBODY_G) * own->star_mass;
    for (int j = 0; j <= n; j++)
        for (int k = 0; k < 3; k++)
            A[j][k] = F64(0.0);
    for (int j = 1; j <= n; j++) {
        mass[j] = F64(NBODY_G) * own->planet[j - 1].mass;
        for (int i = 0; i < j; i++) {
            f64 d[3] = {x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]};
            nbody_attraction *pair = &out->pair[nbody_pair(i, j)];
            f64 square = nbody_attraction_of(d, pair);
            own->nearest = lane_min(own->nearest, square * own->encounter[nbody_pair(i, j)]);
            if (j == 1) /* star and first planet: their Kepler motion */
                continue;
            f64 pull_i = mass[j] * pair->w, pull_j = -mass[i] * pair->w;
            for (int k = 0; k < 3; k++) {
                A[i][k] = lane_fma(pull_i, d[k], A[i][k]);
                A[j][k] = lane_fma(pull_j, d[k], A[j][k]);
            }
        }
    }
    for (int i = 1; i < n; i++)
        (void)nbody_attraction_of(own->planet[i].r, &out->jacobi[i]);
    nbody_to_jacobi(own, (const f64(*)[3])A, out->jacobi, out->a);
}

/* The derivative of w d along dd. */
LANE_FUNCTION void nbody_pull_tangent(const nbody_attraction *pair, const f64 dd[3], f64 out[3])
{
    f64 d_w = -pair->w_slope * nbody_dot(pair->d, dd);
    for (int k = 0; k < 3; k++)
        out[k] = lane_fma(d_w, pair->d[k], pair->w * dd[k]);
}

LANE_FUNCTION void nbody_positions_tangent(const nbody_system *own, const nbody_tangent *tangent,
                                           f64 dx[][3])
{
    f64 c[3] = {F64(0.0), F64(0.0), F64(0.0)};
    for (int k = 0; k < 3; k++)
        dx[0][k] = F64(0.0);
    for (int i = 0; i < own->n_planets; i++)
        for (int k = 0; k < 3; k++) {
            const struct nbody_planet_tangent *change = &tangent->planet[i];
            dx[i + 1][k] = c[k] + change->r[k];
            c[k] = lane_fma(own->planet[i].share, change->r[k], c[k]);
            c[k] = lane_fma(change->share, own->planet[i].r[k], c[k]);
        }
}

LANE_FUNCTION void nbody_to_jacobi_tangent(const nbody_system *own, const nbody_tangent *tangent,
                                           const nbody_forces *forces, const f64 dA[][3],
                                           f64 da[][3])
{
    f64 dC[3];
    for (int k = 0; k < 3; k++)
        dC[k] = dA[0][k];
    for (int i = 0; i < own->n_planets; i++) {
        const nbody_attraction *jacobi = &forces->jacobi[i];
        const nbody_planet *planet = &own->planet[i];
        const struct nbody_planet_tangent *change = &tangent->planet[i];
        f64 pull[3] = {F64(0.0), F64(0.0), F64(0.0)};
        if (i > 0)
            nbody_pull_tangent(jacobi, change->r, pull);
        for (int k = 0; k < 3; k++) {
            f64 relative = forces->a[i][k], d_relative = dA[i + 1][k] - dC[k];
            if (i > 0)
                relative = lane_fma(-(planet->mu * jacobi->w), jacobi->d[k], relative);
            dC[k] = lane_fma(planet->share, d_relative, dC[k]);
            dC[k] = lane_fma(change->share, relative, dC[k]);
            if (i > 0) {
                d_relative = lane_fma(planet->mu, pull[k], d_relative);
                d_relative = lane_fma(change->mu * jacobi->w, jacobi->d[k], d_relative);
            }
            da[i][k] = d_relative;
        }
    }
}

LANE_CALL void nbody_accelerate_tangent(const nbody_system *own, const nbody_forces *forces,
                                        const nbody_tangent *tangent, f64 da[][3])
{
    f64 dx[NBODY_MOST_PLANETS + 1][3], dA[NBODY_MOST_PLANETS + 1][3];
    int n = own->n_planets;
    nbody_positions_tangent(own, tangent, dx);
    for (int j = 0; j <= n; j++)
        for (int k = 0; k < 3; k++)
            dA[j][k] = F64(0.0);
    for (int j = 2; j <= n; j++) {
        f64 mass_j = F64(NBODY_G) * own->planet[j - 1].mass;
        f64 d_mass_j = F64(NBODY_G) * tangent->planet[j - 1].mass;
        for (int i = 0; i < j; i++) {
            const nbody_attraction *pair = &forces->pair[nbody_pair(i, j)];
            f64 mass_i = F64(NBODY_G) * own->star_mass, d_mass_i = F64(0.0);
            if (i > 0) {
                mass_i = F64(NBODY_G) * own->planet[i - 1].mass;
                d_mass_i = F64(NBODY_G) * tangent->planet[i - 1].mass;
            }
            f64 dd[3] = {dx[j][0] - dx[i][0], dx[j][1] - dx[i][1], dx[j][2] - dx[i][2]}, pull[3];
            nbody_pull_tangent(pair, dd, pull);
            for (int k = 0; k < 3; k++) {
                f64 whole = pair->w * pair->d[k];
                dA[i][k] = lane_fma(mass_j, pull[k], lane_fma(d_mass_j, whole, dA[i][k]));
                dA[j][k] = lane_fma(-mass_i, pull[k], lane_fma(-d_mass_i, whole, dA[j][k]));
            }
        }
    }
    nbody_to_jacobi_tangent(own, tangent, forces, (const f64(*)[3])dA, da);
}

#endif
