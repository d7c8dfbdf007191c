/* Mean anomaly, in turns from pericentre, at any time.
 *
 *   t       time from the reference epoch, days
 *   n       mean motion 1/P in turns per day; n + n_low holds it to twice the
 *           precision of its type
 *   M0      mean anomaly at the epoch, in turns, in [-1/2, 1/2]
 *   x       M / 2 pi, in [-1/2, 1/2]: negative before pericentre
 *
 * The whole turns are taken away inside a fused multiply-add, so what is rounded
 * is the small remainder and not the large number of turns; and M0 is in before
 * anything is narrowed, so a phase near pericentre keeps its relative precision.
 */
#ifndef EQUANT_PHYSICS_MEAN_ANOMALY_H
#define EQUANT_PHYSICS_MEAN_ANOMALY_H

#define MEAN_ANOMALY_TWO_PI 6.283185307179586476925286766559
/* 1/(2 pi) in two doubles. */
#define MEAN_ANOMALY_TURNS_PER_RADIAN 0.15915494309189535
#define MEAN_ANOMALY_TURNS_PER_RADIAN_LOW -9.839338337591243e-18

/* In double and single alike: x = t n + M0 - (nearest whole number). */
#define MEAN_ANOMALY_DEFINE(type)                                                                  \
    LANE_FUNCTION type mean_anomaly_turns_##type(type t, type n, type n_low, type M0)              \
    {                                                                                              \
        type turns = lane_round(lane_fma(t, n, M0));                                               \
        type remainder = lane_fma(t, n, -turns);                                                   \
        return remainder + lane_fma(t, n_low, M0);                                                 \
    }
MEAN_ANOMALY_DEFINE(f64)
MEAN_ANOMALY_DEFINE(f32)

/* The same with every quantity a pair of singles, high + low: the products that
 * matter are kept exactly, as high part and error, and only the small sum is
 * rounded. Dekker (1971), with the error of a product from one fma. */
LANE_FUNCTION f32 mean_anomaly_turns_pair(f32 t, f32 t_low, f32 n, f32 n_low, f32 M0, f32 M0_low)
{
    f32 product = t * n;
    f32 product_low = lane_fma(t, n, -product);
    product_low = lane_fma(t, n_low, lane_fma(t_low, n, product_low));
    f32 turns = lane_round(product + M0);
    f32 high = product - turns;
    f32 sum = high + M0;
    f32 part = sum - high;
    f32 sum_low = (high - (sum - part)) + (M0 - part);
    return sum + (sum_low + (product_low + M0_low));
}

#endif
