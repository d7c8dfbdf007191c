/* Coordinates of an orbit other than the usual ones of coordinate_map.h, for who wants to see that
 * the posterior is the same in all of them, and for orbits of which an event is known: there the
 * coordinate of the phase hardly moves.
 *
 *   P         ln P, or P
 *   K         ln(1 + K / scale), or K
 *   e, omega  sqrt e (cos, sin)       de dw = 2 dx dy
 *             e (cos, sin)            de dw = dx dy / e
 *             e, omega
 *   M0        an angle x, M0 = origin + x, where the origin is that of
 *             the mean longitude      - omega
 *             M0 itself               0
 *             an event                M at the event - 2 pi (its time - reference time) / P
 *
 * so that x is zero where the event is at the time that was given. In each dM0 = dx. */
#ifndef EQUANT_STATISTICS_ORBIT_BASIS_H
#define EQUANT_STATISTICS_ORBIT_BASIS_H

#include <math.h>

#include "model/circle.h"
#include "physics/lane.h"
#include "statistics/sampling_coordinates.h"

typedef enum basis_shape { SHAPE_ROOTS, SHAPE_PAIR, SHAPE_POLAR } basis_shape;

typedef enum basis_phase {
    PHASE_LONGITUDE,
    PHASE_M0,
    PHASE_CONJUNCTION,
    PHASE_SUPERIOR,
    PHASE_PERICENTRE
} basis_phase;

typedef struct orbit_basis {
    int has_linear_period, has_linear_k;
    basis_shape shape;
    basis_phase phase;
    double anchor;      /* of events: the time that was given, in days from the reference time; of
                           the longitude an angle that it is counted from                  */
    int phase_is_fixed; /* the coordinate of the phase is zero, and none                   */
    double width_days;  /* how well the time of the event is known; 0: not                 */
} orbit_basis;

/* The mean anomaly when the star is at nu + omega = longitude. */
LANE_FUNCTION double orbit_basis_anomaly_at(double longitude, double e, double omega)
{
    double half = 0.5 * (longitude - omega);
    double E = 2.0 * atan2(sqrt(1.0 - e) * sin(half), sqrt(1.0 + e) * cos(half));
    return E - e * sin(E);
}

/* The mean anomaly at the event of a phase that is one. */
LANE_FUNCTION double orbit_basis_event_anomaly(basis_phase phase, double e, double omega)
{
    const double quarter = 0.25 * TWO_PI;
    if (phase == PHASE_CONJUNCTION)
        return orbit_basis_anomaly_at(quarter, e, omega);
    return phase == PHASE_SUPERIOR ? orbit_basis_anomaly_at(3.0 * quarter, e, omega) : 0.0;
}

/* Whether a phase is counted from an event. */
LANE_FUNCTION int orbit_basis_has_event(basis_phase phase)
{
    return phase != PHASE_LONGITUDE && phase != PHASE_M0;
}

/* M0 where the coordinate of the phase is zero. */
LANE_FUNCTION double orbit_basis_origin(const orbit_basis *basis, double period_days, double e,
                                        double omega)
{
    if (basis->phase == PHASE_LONGITUDE)
        return basis->anchor - omega;
    if (basis->phase == PHASE_M0)
        return 0.0;
    return orbit_basis_event_anomaly(basis->phase, e, omega) -
           TWO_PI * fmod(basis->anchor / period_days, 1.0);
}

LANE_FUNCTION void orbit_basis_shape(basis_shape shape, const double x[2], double *e, double *omega)
{
    if (shape == SHAPE_POLAR) {
        *e = x[0];
        *omega = sampling_turn(x[1]);
        return;
    }
    *e = shape == SHAPE_PAIR ? sqrt(x[0] * x[0] + x[1] * x[1]) : x[0] * x[0] + x[1] * x[1];
    *omega = sampling_turn(atan2(x[1], x[0]));
}

LANE_FUNCTION void orbit_basis_shape_coordinates(basis_shape shape, double e, double omega,
                                                 double x[2])
{
    double radius = shape == SHAPE_PAIR ? e : sqrt(e);
    x[0] = shape == SHAPE_POLAR ? e : radius * cos(omega);
    x[1] = shape == SHAPE_POLAR ? sampling_wrap(omega) : radius * sin(omega);
}

/* ln of de dw over dx dy. */
LANE_FUNCTION double orbit_basis_shape_log_volume(basis_shape shape, double e)
{
    return shape == SHAPE_ROOTS ? SAMPLING_SHAPE_LOG_VOLUME : shape == SHAPE_PAIR ? -log(e) : 0.0;
}

#endif
