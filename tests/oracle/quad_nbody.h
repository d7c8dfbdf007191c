/* Stars with planets that attract each other, in quadruple precision: Newton's equations in
 * inertial coordinates, by extrapolation of the midpoint rule in steps of one length. Elements are
 * those of equant/dynamics.h. */
#ifndef EQUANT_TESTS_ORACLE_QUAD_NBODY_H
#define EQUANT_TESTS_ORACLE_QUAD_NBODY_H

#include <stddef.h>

#define QUAD_NBODY_MOST 8

/* Velocities with which the star recedes, m/s, at times in ascending order, in days since the epoch
 * of the elements [n_planets][7]; step_days is the step that is extrapolated, an eighth of the
 * shortest period or less. */
void quad_nbody_velocities(double star_mass, size_t n_planets, const __float128 *elements,
                           double step_days, size_t n_times, const double *time_days,
                           __float128 *velocities_m_s);

/* The transit of a planet, counted from 0, that Newton's method finds from a guess: time, days
 * since the epoch; distance, au, and speed, au/day, on the sky relative to the star. */
void quad_nbody_transit(double star_mass, size_t n_planets, const __float128 *elements,
                        double step_days, size_t planet, double guess_days, __float128 out[3]);

#endif
