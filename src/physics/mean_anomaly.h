/* Mean anomaly in [-pi, pi], but for rounding: negative before pericentre.
 *
 *   t       time from the reference epoch, days
 *   n       mean motion 1/P in turns per day; n + n_low holds it to twice the
 *           precision of its type
 *   M0      mean anomaly at the epoch, here in turns, in [-1/2, 1/2]
 *   M       mean anomaly, rad
 *
 * Whole turns are taken away inside a fused multiply-add, so what is rounded is the
 * small remainder and not the large number of turns; and M0 is in before anything is
 * narrowed, so a phase near pericentre keeps its relative precision.
 */
#ifndef EQUANT_PHYSICS_MEAN_ANOMALY_H
#define EQUANT_PHYSICS_MEAN_ANOMALY_H

#include "physics/lane.h"

#define MEAN_ANOMALY_PI 3.14159265358979323846
#define MEAN_ANOMALY_TWO_PI 6.28318530717958647693
#define MEAN_ANOMALY_TURNS_PER_RADIAN 0.15915494309189533577

/* Two pi in two doubles, and in three floats: each holds what the ones before lack. */
#define MEAN_ANOMALY_TWO_PI_F64 6.283185307179586
#define MEAN_ANOMALY_TWO_PI_F64_LOW 2.4492935982947064e-16
#define MEAN_ANOMALY_TWO_PI_F32 6.2831855f
#define MEAN_ANOMALY_TWO_PI_F32_LOW -1.7484555e-7f
#define MEAN_ANOMALY_TWO_PI_F32_LOWEST -6.860498e-15f

#ifndef LANE_HAS_ROUND_PRODUCT
#define f64_round_product(a, b) f64_round((a) * (b))
#endif

/* At time t:  M = 2 pi (t n + M0 - nearest whole number). */
LANE_FUNCTION f64 mean_anomaly_at_time_f64(f64 t, f64 n, f64 n_low, f64 M0)
{
    f64 turns = lane_round(lane_fma(t, n, M0));
    f64 remainder = lane_fma(t, n, -turns);
    return (remainder + lane_fma(t, n_low, M0)) * F64(MEAN_ANOMALY_TWO_PI);
}

#ifdef LANE_HAS_LOW_WORD
/* The same for results that will be narrowed to single. With 1.5 * 2^20 added to M0 the sum
 * t n + M0 is rounded at 2^-32, so its low word is the fraction of a turn as a signed whole
 * number: the turns are gone without having been counted. Good to 2^19 turns. */
#define MEAN_ANOMALY_FIXED_ORIGIN 1572864.0
#define MEAN_ANOMALY_FIXED_MAX_TURNS 524288.0
LANE_FUNCTION f32 mean_anomaly_at_time_fixed(f64 t, f64 n, f64 M0_from_origin)
{
    return f64_low_word(lane_fma(t, n, M0_from_origin)) * F32(MEAN_ANOMALY_TWO_PI * 0x1p-32);
}
#endif

/* The same in singles, where turns beyond 2^24 cannot be counted one by one: what is
 * left of them is taken away a second time. */
LANE_FUNCTION f32 mean_anomaly_at_time_f32(f32 t, f32 n, f32 M0)
{
    f32 turns = lane_round(lane_fma(t, n, M0));
    f32 x = lane_fma(t, n, -turns) + M0;
    return (x - lane_round(x)) * F32(MEAN_ANOMALY_TWO_PI);
}

/* The same with every quantity a pair of singles, high + low: the products that
 * matter are kept exactly, as high part and error, and only the small sum is
 * rounded. Dekker (1971), with the error of a product from one fma. */
LANE_FUNCTION f32 mean_anomaly_at_time_pair(f32 t, f32 t_low, f32 n, f32 n_low, f32 M0, f32 M0_low)
{
    f32 product = t * n;
    f32 product_low = lane_fma(t, n, -product);
    product_low = lane_fma(t, n_low, lane_fma(t_low, n, product_low));
    f32 turns = lane_round(product + M0);
    f32 high = product - turns;
    f32 sum = high + M0;
    f32 part = sum - high;
    f32 sum_low = (high - (sum - part)) + (M0 - part);
    f32 x = sum + (sum_low + (product_low + M0_low));
    return (x - lane_round(x)) * F32(MEAN_ANOMALY_TWO_PI);
}

/* An angle of any size, in radians, brought to [-pi, pi]; *turns is what was taken away.
 * M - turns * (high part of two pi) is exact: both are multiples of the same small
 * power of two, and the difference is short. In double M may be up to 1e14. */
LANE_FUNCTION f64 mean_anomaly_reduce_f64(f64 M, f64 *turns)
{
    f64 k = f64_round_product(M, F64(MEAN_ANOMALY_TURNS_PER_RADIAN));
    *turns = k;
    return lane_fma(-k, F64(MEAN_ANOMALY_TWO_PI_F64_LOW),
                    lane_fma(-k, F64(MEAN_ANOMALY_TWO_PI_F64), M));
}

/* In singles, M + M_low; M_low is zero where there is but one. */
LANE_FUNCTION f32 mean_anomaly_reduce_f32(f32 M, f32 M_low, f32 *turns)
{
    f32 k = lane_round(M * F32(MEAN_ANOMALY_TURNS_PER_RADIAN));
    *turns = k;
    f32 low = lane_fma(-k, F32(MEAN_ANOMALY_TWO_PI_F32_LOWEST), M_low);
    return lane_fma(-k, F32(MEAN_ANOMALY_TWO_PI_F32), M) +
           lane_fma(-k, F32(MEAN_ANOMALY_TWO_PI_F32_LOW), low);
}

#endif
