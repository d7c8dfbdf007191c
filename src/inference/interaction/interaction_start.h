/* Orbits of velocities as planets that attract each other: masses from semi-amplitudes. */
#ifndef EQUANT_INFERENCE_INTERACTION_INTERACTION_START_H
#define EQUANT_INFERENCE_INTERACTION_INTERACTION_START_H

#include "dynamics/nbody_elements.h"
#include "model/orbit_elements.h"

/* Elements [n_planets][NBODY_N_ELEMENTS] of orbits [n_planets][N_ELEMENTS] in the order of their
 * periods, at the reference time of these, all of one inclination and with their nodes on one line.
 * At that time both move the star alike. */
void interaction_start(double star_mass, size_t n_planets, const double *orbits,
                       double inclination_rad, double *elements);

/* The semi-amplitude of planet p, m/s. */
double interaction_semi_amplitude(double star_mass, const double *elements, size_t p);

#endif
