/* Coordinates in which orbits are sampled, and the volume that each change of variables costs.
 *
 *   P, days           x = ln P                         dP = P dx
 *   K or jitter, m/s  x = ln(1 + K / scale)            dK = scale exp(x) dx
 *   e and omega       (sqrt e cos w, sqrt e sin w)     de dw = 2 dx dy
 *                     (e cos w, e sin w)               de dw = dx dy / e
 *                     (e, w)                           de dw = dx dy
 *   M0, rad           lambda = M0 + w at t_ref         dM0 = dlambda
 *
 * A uniform eccentricity is uniform over the disc of the first pair, a Rayleigh one is normal in
 * each coordinate of the second; neither has an edge at e = 0, where the third has one. The sum
 * of the angles is known where e is small and pericentre is anywhere.
 *
 * Plain doubles, which both C and a CUDA thread understand. */
#ifndef EQUANT_STATISTICS_SAMPLING_COORDINATES_H
#define EQUANT_STATISTICS_SAMPLING_COORDINATES_H

#include <math.h>

#include "physics/lane.h"

#define SAMPLING_TWO_PI 6.28318530717958647693

/* Coordinates of e and omega. */
typedef enum sampling_shape {
    SAMPLING_SHAPE_ROOTS = 0, /* sqrt e cos w, sqrt e sin w */
    SAMPLING_SHAPE_VECTOR,    /* e cos w, e sin w           */
    SAMPLING_SHAPE_POLAR,     /* e, w                       */
    N_SAMPLING_SHAPES
} sampling_shape;

/* The same angle in (-pi, pi], wherever it is. */
LANE_CALL double sampling_wrap_far(double angle)
{
    double wrapped = remainder(angle, SAMPLING_TWO_PI);
    return wrapped > -0.5 * SAMPLING_TWO_PI ? wrapped : wrapped + SAMPLING_TWO_PI;
}

/* The same; NaN for what is not finite. Most angles are there already, and remainder() is
 * slow. */
LANE_FUNCTION double sampling_wrap(double angle)
{
    const double half_turn = 0.5 * SAMPLING_TWO_PI;
    return angle > -half_turn && angle <= half_turn ? angle : sampling_wrap_far(angle);
}

/* The same angle in [0, 2 pi). */
LANE_FUNCTION double sampling_turn(double angle)
{
    if (angle >= 0.0 && angle < SAMPLING_TWO_PI)
        return angle + 0.0; /* not -0 */
    double wrapped = sampling_wrap(angle);
    double turned = wrapped < 0.0 ? wrapped + SAMPLING_TWO_PI : wrapped;
    return turned < SAMPLING_TWO_PI ? turned + 0.0 : turned - SAMPLING_TWO_PI;
}

/* The same angle in [start, start + 2 pi), but for rounding at its ends. */
LANE_FUNCTION double sampling_turn_from(double start, double angle)
{
    return start + sampling_turn(angle - start);
}

/* Amplitudes and jitters: logarithmic far above `scale`, linear far below. */
LANE_FUNCTION double sampling_amplitude(double x, double scale)
{
    return scale * expm1(x);
}

LANE_FUNCTION double sampling_amplitude_coordinate(double amplitude, double scale)
{
    return log1p(amplitude / scale);
}

/* ln of dK/dx. */
LANE_FUNCTION double sampling_amplitude_log_volume(double x, double scale)
{
    return x + log(scale);
}

LANE_FUNCTION void sampling_shape_elements(sampling_shape shape, double x, double y,
                                           double *eccentricity, double *omega)
{
    if (shape == SAMPLING_SHAPE_POLAR) {
        *eccentricity = x;
        *omega = sampling_turn(y);
    } else {
        *eccentricity = shape == SAMPLING_SHAPE_ROOTS ? x * x + y * y : hypot(x, y);
        *omega = sampling_turn(atan2(y, x));
    }
}

LANE_FUNCTION void sampling_shape_coordinates(sampling_shape shape, double eccentricity,
                                              double omega, double *x, double *y)
{
    double radius = shape == SAMPLING_SHAPE_ROOTS ? sqrt(eccentricity) : eccentricity;
    if (shape == SAMPLING_SHAPE_POLAR) {
        *x = eccentricity;
        *y = sampling_wrap(omega);
    } else {
        *x = radius * cos(omega);
        *y = radius * sin(omega);
    }
}

/* ln of de dw over dx dy. */
LANE_FUNCTION double sampling_shape_log_volume(sampling_shape shape, double eccentricity)
{
    const double log_two = 0.69314718055994530942;
    if (shape == SAMPLING_SHAPE_ROOTS)
        return log_two;
    return shape == SAMPLING_SHAPE_VECTOR ? -log(eccentricity) : 0.0;
}

#endif
