/* Angles too large for the reduction of mean_anomaly.h, which strays beyond half a turn from some
 * 1e14 rad on. */
#ifndef EQUANT_BACKENDS_CPU_HUGE_ANGLE_H
#define EQUANT_BACKENDS_CPU_HUGE_ANGLE_H

#include <math.h>

#define HUGE_ANGLE 1e14

/* An angle of `limit` or more within half a turn of zero, exactly reduced by the C
 * library; smaller ones as they are. Rare, so not worth lanes. */
static inline double huge_angle_reduce(double angle_rad, double limit)
{
    if (fabs(angle_rad) < limit)
        return angle_rad;
    return atan2(sin(angle_rad), cos(angle_rad));
}

#endif
