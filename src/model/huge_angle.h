/* Angles too large for the reduction of mean_anomaly.h, which strays beyond half a turn from some
 * 1e14 rad on. */
#ifndef EQUANT_MODEL_HUGE_ANGLE_H
#define EQUANT_MODEL_HUGE_ANGLE_H

#include <math.h>

#include "model/shared_function.h"

#define HUGE_ANGLE 1e14

/* An angle of `limit` or more within half a turn of zero, exactly reduced by the library of the
 * machine; smaller ones as they are. Rare, so not worth lanes. */
SHARED_FUNCTION double huge_angle_reduce(double angle_rad, double limit)
{
    if (fabs(angle_rad) < limit)
        return angle_rad;
    return atan2(sin(angle_rad), cos(angle_rad));
}

#endif
