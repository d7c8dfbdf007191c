/* Sums of powers of likelihoods, from which inference/sample/walkers/stepping_stone.h takes the
 * evidence.
 */
#ifndef EQUANT_STATISTICS_STEPPING_STONE_SUM_H
#define EQUANT_STATISTICS_STEPPING_STONE_SUM_H

#include <math.h>
#include <stddef.h>

#include "physics/lane.h"

/* Sums of exp(x/2) and of exp(x), kept in proportion to the largest x so far. Zero to begin. */
typedef struct stepping_stone_sum {
    double largest, sum, sum_of_squares, count;
} stepping_stone_sum;

/* The sums of one step of the ladder in one population: x = (c - h) ln L over the walkers of
 * the hotter rung, and -(c - h) ln L over those of the colder. */
typedef struct stepping_stone {
    stepping_stone_sum forward, reverse;
} stepping_stone;

/* x of one walker; -INFINITY, which adds nothing, where its likelihood is zero. */
LANE_FUNCTION double stepping_stone_power(double exponent, double log_likelihood)
{
    return log_likelihood > -INFINITY ? exponent * log_likelihood : -INFINITY;
}

/* Makes room for n values, `largest` among them. */
LANE_FUNCTION void stepping_stone_expect(stepping_stone_sum *to, size_t n, double largest)
{
    to->count += (double)n;
    if (largest == -INFINITY)
        return;
    if (to->sum == 0.0) {
        to->largest = largest;
    } else if (largest > to->largest) {
        double factor = exp(0.5 * (to->largest - largest));
        to->sum *= factor;
        to->sum_of_squares *= factor * factor;
        to->largest = largest;
    }
}

/* What a value adds to the sum; its square is what it adds to the sum of squares. */
LANE_FUNCTION double stepping_stone_term(double power, double largest)
{
    return power > -INFINITY ? exp(0.5 * (power - largest)) : 0.0;
}

#endif
