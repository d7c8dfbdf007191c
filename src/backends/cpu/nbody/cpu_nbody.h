/* Systems of planets that attract each other, by the loops of one machine. */
#ifndef EQUANT_BACKENDS_CPU_NBODY_CPU_NBODY_H
#define EQUANT_BACKENDS_CPU_NBODY_CPU_NBODY_H

#include "backends/backend.h"

/* Directions that are differentiated along together: all elements of the largest system. */
#define CPU_NBODY_DIRECTIONS (BACKEND_NBODY_PLANET * BACKEND_NBODY_MOST_PLANETS)

typedef struct cpu_nbody_kernels {
    size_t n_lanes;
    /* Of n_systems, at most n_lanes. */
    void (*integrate)(const backend_nbody_plan *plan, size_t n_systems, const double *systems,
                      double *velocities_m_s, double *states, int *ends);
    /* Of one system in at most CPU_NBODY_DIRECTIONS directions. */
    void (*differentiate)(const backend_nbody_plan *plan, const double *system, size_t n_directions,
                          const double *directions, double *velocities_m_s, double *jacobian,
                          int *end);
} cpu_nbody_kernels;

equant_status cpu_nbody_integrate(const cpu_nbody_kernels *kernels, const backend_engine *engine,
                                  const backend_nbody_plan *plan, size_t n_systems,
                                  const double *systems, double *velocities_m_s, double *states,
                                  int *ends);
equant_status cpu_nbody_differentiate(const cpu_nbody_kernels *kernels,
                                      const backend_engine *engine, const backend_nbody_plan *plan,
                                      size_t n_systems, const double *systems, size_t n_directions,
                                      const double *directions, double *velocities_m_s,
                                      double *jacobian, int *ends);

#endif
