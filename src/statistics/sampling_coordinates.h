/* Coordinates in which orbits are sampled, and the volume that each change of variables costs.
 *
 *   P, days           x = ln P                         dP = P dx
 *   K or jitter, m/s  x = ln(1 + K / scale)            dK = scale exp(x) dx
 *   e and omega       (sqrt e cos w, sqrt e sin w)     de dw = 2 dx dy
 *   M0, rad           lambda = M0 + w at t_ref         dM0 = dlambda
 *
 * A uniform eccentricity is uniform over the disc of that pair, which has no edge at e = 0. The sum
 * of the angles is known where e is small and pericentre is anywhere.
 *
 * Plain doubles, which both C and a CUDA thread understand. */
#ifndef EQUANT_STATISTICS_SAMPLING_COORDINATES_H
#define EQUANT_STATISTICS_SAMPLING_COORDINATES_H

#include <math.h>

#include "model/circle.h"
#include "physics/lane.h"

/* The same angle in (-pi, pi], wherever it is. */
LANE_CALL double sampling_wrap_far(double angle)
{
    double wrapped = remainder(angle, TWO_PI);
    return wrapped > -0.5 * TWO_PI ? wrapped : wrapped + TWO_PI;
}

/* The same; NaN for what is not finite. Most angles are there already, and remainder() is
 * slow. */
LANE_FUNCTION double sampling_wrap(double angle)
{
    const double half_turn = 0.5 * TWO_PI;
    return angle > -half_turn && angle <= half_turn ? angle : sampling_wrap_far(angle);
}

/* The same angle in [0, 2 pi). */
LANE_FUNCTION double sampling_turn(double angle)
{
    if (angle >= 0.0 && angle < TWO_PI)
        return angle + 0.0; /* not -0 */
    double wrapped = sampling_wrap(angle);
    double turned = wrapped < 0.0 ? wrapped + TWO_PI : wrapped;
    return turned < TWO_PI ? turned + 0.0 : turned - TWO_PI;
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

LANE_FUNCTION void sampling_shape_elements(double x, double y, double *eccentricity, double *omega)
{
    *eccentricity = x * x + y * y;
    *omega = sampling_turn(atan2(y, x));
}

LANE_FUNCTION void sampling_shape_coordinates(double eccentricity, double omega, double *x,
                                              double *y)
{
    double radius = sqrt(eccentricity);
    *x = radius * cos(omega);
    *y = radius * sin(omega);
}

/* ln of de dw over dx dy. */
#define SAMPLING_SHAPE_LOG_VOLUME 0.69314718055994530942

#endif
