/* e^-x for x >= 0, to about an ulp, in double.
 *
 * x = k ln 2 - r with |r| <= ln 2 / 2; e^r - 1 = r + r^2 p(r) with a polynomial whose error is
 * below 2e-17 (tools/make_exponential.py). What is beyond 708 is taken for 708, where 3e-308 is
 * left. */
#ifndef EQUANT_PHYSICS_EXPONENTIAL_H
#define EQUANT_PHYSICS_EXPONENTIAL_H

#include "physics/lane.h"

#define EXPONENTIAL_FARTHEST 708.0
#define EXPONENTIAL_PER_LN_2 1.4426950408889634
#define EXPONENTIAL_LN_2_HIGH 0.693147180559945286
#define EXPONENTIAL_LN_2_LOW 2.3190468138462996e-17

/* 2^-k and e^r - 1. */
LANE_FUNCTION void exponential_parts(f64 x, f64 *power, f64 *less_one)
{
    x = lane_min(x, F64(EXPONENTIAL_FARTHEST));
    f64 k = lane_round(x * F64(-EXPONENTIAL_PER_LN_2));
    f64 r = lane_fma(-k, F64(EXPONENTIAL_LN_2_LOW), lane_fma(-k, F64(EXPONENTIAL_LN_2_HIGH), -x));
    f64 p = F64(2.51003854955103203e-08);
    p = lane_fma(p, r, F64(2.76200884454097462e-07));
    p = lane_fma(p, r, F64(2.75572684599970641e-06));
    p = lane_fma(p, r, F64(2.48015212959543761e-05));
    p = lane_fma(p, r, F64(1.98412698630536177e-04));
    p = lane_fma(p, r, F64(1.38888889172137167e-03));
    p = lane_fma(p, r, F64(8.33333333333006153e-03));
    p = lane_fma(p, r, F64(4.16666666666241289e-02));
    p = lane_fma(p, r, F64(1.66666666666666685e-01));
    p = lane_fma(p, r, F64(5.00000000000000111e-01));
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
