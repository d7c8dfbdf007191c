/* Elements of planets at an epoch, in Jacobi coordinates, and the states that they stand for. The
 * elements are regular: nothing happens at eccentricity zero.
 *
 *   mass     solar masses             h, k     e cos omega, e sin omega
 *   period   days                     lambda   mean longitude M + omega, rad
 *   i, node  inclination of the orbit to the plane of the sky, rad; longitude of the node, rad
 *
 * omega is that of velocities, v = K (cos(nu + omega) + e cos omega): planets transit where
 * nu + omega = pi / 2. The period is 2 pi sqrt(a^3 / (G M_i)), M_i the mass of the star and of all
 * planets up to this one, which come in the order of their periods.
 */
#ifndef EQUANT_DYNAMICS_NBODY_ELEMENTS_H
#define EQUANT_DYNAMICS_NBODY_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    NBODY_MASS,
    NBODY_PERIOD,
    NBODY_H,
    NBODY_K,
    NBODY_LONGITUDE,
    NBODY_INCLINATION,
    NBODY_NODE,
    NBODY_N_ELEMENTS
};
/* Mass, position, velocity: as backend_nbody has them. */
enum { NBODY_STATE = 7 };

/* au^3 / (solar mass day^2) and m/s in au/day; a test compares them with those of the physics. */
#define NBODY_GRAVITY 2.9591220819207774e-4

/* The system of a star and n planets: [1 + 7 n]. False where elements are none: a mass below zero,
 * a period that is not positive, e >= 1, or what is not finite. */
bool nbody_elements_to_system(double star_mass, size_t n_planets, const double *elements,
                              double *system);

/* Its derivative along n_directions changes of the elements [n_directions][n_planets][7]:
 * [n_directions][n_planets][7]. */
void nbody_elements_to_directions(double star_mass, size_t n_planets, const double *elements,
                                  size_t n_directions, const double *changes, double *directions);

/* The step of the map for these planets: a thirtieth of the shortest time in which one would go
 * round at the speed that it has at pericentre. */
double nbody_elements_step(size_t n_planets, const double *elements);

#endif
