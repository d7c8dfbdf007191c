/* e^-x for x >= 0, to about an ulp, in double.
 *
 * x = k ln 2 + r with |r| <= ln 2 / 2; e^-r - 1 by its series, whose next term is below 5e-18. What
 * is beyond 708 is taken for 708, where 3e-308 is left. */
#ifndef EQUANT_PHYSICS_EXPONENTIAL_H
#define EQUANT_PHYSICS_EXPONENTIAL_H

#include "physics/lane.h"

#define EXPONENTIAL_FARTHEST 708.0
#define EXPONENTIAL_PER_LN_2 1.4426950408889634
#define EXPONENTIAL_LN_2_HIGH 0.693147180559945286
#define EXPONENTIAL_LN_2_LOW 2.3190468138462996e-17

/* 2^-k and e^-r - 1. */
LANE_FUNCTION void exponential_parts(f64 x, f64 *power, f64 *less_one)
{
    x = lane_min(x, F64(EXPONENTIAL_FARTHEST));
    f64 k = lane_round(x * F64(-EXPONENTIAL_PER_LN_2));
    f64 r = lane_fma(-k, F64(EXPONENTIAL_LN_2_LOW), lane_fma(-k, F64(EXPONENTIAL_LN_2_HIGH), -x));
    f64 p = F64(1.0 / 6227020800.0);
    p = lane_fma(p, r, F64(1.0 / 479001600.0));
    p = lane_fma(p, r, F64(1.0 / 39916800.0));
    p = lane_fma(p, r, F64(1.0 / 3628800.0));
    p = lane_fma(p, r, F64(1.0 / 362880.0));
    p = lane_fma(p, r, F64(1.0 / 40320.0));
    p = lane_fma(p, r, F64(1.0 / 5040.0));
    p = lane_fma(p, r, F64(1.0 / 720.0));
    p = lane_fma(p, r, F64(1.0 / 120.0));
    p = lane_fma(p, r, F64(1.0 / 24.0));
    p = lane_fma(p, r, F64(1.0 / 6.0));
    p = lane_fma(p, r, F64(0.5));
    *less_one = lane_fma(p * r, r, r);
    *power = f64_power_of_two(k);
}

LANE_FUNCTION f64 exponential_decay(f64 x)
{
    f64 power, less_one;
    exponential_parts(x, &power, &less_one);
    return lane_fma(power, less_one, power);
}

/* 1 - e^-x, with all digits of a small x. */
LANE_FUNCTION f64 exponential_lost(f64 x)
{
    f64 power, less_one;
    exponential_parts(x, &power, &less_one);
    return (F64(1.0) - power) - power * less_one;
}

#endif
