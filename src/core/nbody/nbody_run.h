/* Systems of planets that attract each other, integrated by the backend that is asked for, or by a
 * processor where it cannot. The arrays are those of backend_nbody. */
#ifndef EQUANT_CORE_NBODY_NBODY_RUN_H
#define EQUANT_CORE_NBODY_NBODY_RUN_H

#include "backends/backend.h"

/* Systems that the map is not made for, those in which two bodies come close above all, are
 * integrated again by extrapolation, so that no end is BACKEND_NBODY_ENCOUNTER. */
equant_status nbody_run(const equant_engine_options *options, const backend_nbody_plan *plan,
                        size_t n_systems, const double *systems, double *velocities_m_s,
                        double *states, int *ends);

/* By the map alone. */
equant_status nbody_run_differentiate(const equant_engine_options *options,
                                      const backend_nbody_plan *plan, size_t n_systems,
                                      const double *systems, size_t n_directions,
                                      const double *directions, double *velocities_m_s,
                                      double *jacobian, int *ends);

#endif
