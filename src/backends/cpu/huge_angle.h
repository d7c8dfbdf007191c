/* Angles too large for the reduction of mean_anomaly.h, which is exact to 2^50 turns. */
#ifndef EQUANT_BACKENDS_CPU_HUGE_ANGLE_H
#define EQUANT_BACKENDS_CPU_HUGE_ANGLE_H

#include <math.h>

/* The same angle within one turn of zero, exactly reduced by the C library. Rare, so
 * not worth lanes. */
static inline double huge_angle_reduce(double angle_rad)
{
    if (fabs(angle_rad) < 1e15)
        return angle_rad;
    return atan2(sin(angle_rad), cos(angle_rad));
}

#endif
