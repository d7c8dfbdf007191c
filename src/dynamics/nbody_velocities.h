/* Velocities of a star whose planets attract each other, at given times, from elements. What is the
 * same for all systems is laid out once. */
#ifndef EQUANT_DYNAMICS_NBODY_VELOCITIES_H
#define EQUANT_DYNAMICS_NBODY_VELOCITIES_H

#include "dynamics/nbody_transits.h"
#include "equant.h"

typedef struct nbody_velocities {
    size_t n_planets, n_times;
    double star_mass, step_days;
    double *time_days; /* since the epoch, ascending */
    size_t *order;     /* [n_times]: whose time it is among those of the caller */
    const equant_engine_options *engine;
    nbody_transits *transits; /* NULL, or found with the derivatives, along as many directions as
                                 they have room for; borrowed */
} nbody_velocities;

/* The engine is borrowed. */
equant_status nbody_velocities_create(size_t n_planets, size_t n_times, const double *time_days,
                                      double epoch_days, double star_mass, double step_days,
                                      const equant_engine_options *engine, nbody_velocities *made);
void nbody_velocities_free(nbody_velocities *own);

/* Of n_systems systems of elements: velocities [n_systems][n_times] in the order of the caller. */
equant_status nbody_velocities_evaluate(const nbody_velocities *own, size_t n_systems,
                                        const double *elements, double *velocities_m_s,
                                        equant_nbody_end *ends);

/* Of one system, with derivatives along n_directions changes of the elements
 * [n_directions][n_planets][7]: [n_directions][n_times]. */
equant_status nbody_velocities_differentiate(const nbody_velocities *own, const double *elements,
                                             size_t n_directions, const double *changes,
                                             double *velocities_m_s, double *jacobian,
                                             equant_nbody_end *end);

#endif
