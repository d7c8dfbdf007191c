/* equant/dynamics.h: planets that attract each other. What they do to the star's velocity.
 *
 * Experimental: names and meanings may change with any version. */
#ifndef EQUANT_DYNAMICS_H
#define EQUANT_DYNAMICS_H

#include <stddef.h>

#include "equant/evaluate.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of a planet at the epoch, in Jacobi coordinates: mass in solar masses, period in days,
 * e cos omega, e sin omega, mean longitude M + omega, inclination of the orbit to the plane of the
 * sky and longitude of its node in rad. omega is that of velocities; planets come in the order of
 * their periods. */
#define EQUANT_N_NBODY_ELEMENTS 7
#define EQUANT_NBODY_MAX_PLANETS 10

typedef struct equant_nbody_options {
    size_t struct_size;
    const equant_engine_options *engine;
    double star_mass;  /* solar masses; 0: 1                                          */
    double epoch_days; /* of the elements, in the same clock as the times             */
    double step_days;  /* of the integrator; 0: a thirtieth of the shortest time in which a planet
                          would go round at the speed that it has at pericentre       */
} equant_nbody_options;

/* How an integration ended. Values are pinned. */
typedef enum equant_nbody_end {
    EQUANT_NBODY_FINE = 0,
    EQUANT_NBODY_CLOSE = 1,     /* bodies came close; of derivatives alone: they are not exact   */
    EQUANT_NBODY_COLLISION = 2, /* bodies touched                                                */
    EQUANT_NBODY_UNBOUND = 3,   /* a planet left the star                                        */
    EQUANT_NBODY_FAILED = 4,    /* the step is too long for an orbit                             */
    EQUANT_NBODY_INVALID = 5    /* elements that are none: e >= 1, a mass below zero, ...        */
} equant_nbody_end;
/* A sentence for it. Never NULL. */
EQUANT_EXPERIMENTAL EQUANT_API const char *equant_nbody_end_text(equant_nbody_end end);

/* The velocities with which the star recedes, m/s, [n_systems][n_times], of systems
 * [n_systems][n_planets][7] at any times in days, and where wanted, their derivatives with all
 * elements, [n_systems][7 n_planets][n_times]; the centre of mass is at rest. Results of a system
 * that ended otherwise than EQUANT_NBODY_FINE or EQUANT_NBODY_CLOSE are NaN; ends may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_nbody_velocities(size_t n_planets, size_t n_systems, const double *elements, size_t n_times,
                        const double *time_days, const equant_nbody_options *options,
                        double *velocities_m_s, double *jacobian, equant_nbody_end *ends);

#ifdef __cplusplus
}
#endif
#endif
