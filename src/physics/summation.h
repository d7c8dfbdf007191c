/* Sums over observations, in an order that does not depend on the machine: term k is
 * added to partial sum k mod 16, and the sixteen are folded in halves at the end. */
#ifndef EQUANT_PHYSICS_SUMMATION_H
#define EQUANT_PHYSICS_SUMMATION_H

#include "physics/lane.h"

#define SUMMATION_WIDTH 16
#define SUMMATION_GROUPS (SUMMATION_WIDTH / REAL_LANES)

typedef struct summation {
    real sum[SUMMATION_GROUPS];
    real low[SUMMATION_GROUPS]; /* what rounding added too much; unused by plain sums */
} summation;

LANE_FUNCTION summation summation_zero(void)
{
    summation s;
    for (int g = 0; g < SUMMATION_GROUPS; g++) {
        s.sum[g] = REAL(0.0);
        s.low[g] = REAL(0.0);
    }
    return s;
}

/* Kahan (1965): sum + term, with the rounding error carried in low. */
LANE_FUNCTION void summation_compensated(real *sum, real *low, real term)
{
    real u = term - *low;
    real w = *sum + u;
    *low = (w - *sum) - u;
    *sum = w;
}

/* Adds a b to group g; plain sums fuse the product into the addition. */
LANE_FUNCTION void summation_add_product(summation *s, int g, real a, real b, int compensated)
{
    if (compensated)
        summation_compensated(&s->sum[g], &s->low[g], a * b);
    else
        s->sum[g] = lane_fma(a, b, s->sum[g]);
}

LANE_FUNCTION double summation_total(const summation *s)
{
    scalar sum[SUMMATION_WIDTH], low[SUMMATION_WIDTH];
    double total[SUMMATION_WIDTH];
    for (int g = 0; g < SUMMATION_GROUPS; g++) {
        real_store(sum + g * REAL_LANES, s->sum[g]);
        real_store(low + g * REAL_LANES, s->low[g]);
    }
    for (int i = 0; i < SUMMATION_WIDTH; i++)
        total[i] = (double)sum[i] - (double)low[i];
    for (int half = SUMMATION_WIDTH / 2; half >= 1; half /= 2)
        for (int i = 0; i < half; i++)
            total[i] += total[i + half];
    return total[0];
}

#endif
