/* Which periods data can tell apart. Two sinusoids whose frequencies differ by one over the span of
 * the data, the resolution of a periodogram, go out of step by a whole cycle from its beginning to
 * its end. With half of that they stay in phase to a quarter of a cycle on either side of the
 * middle, and each lies within the peak of the other: data do not tell them apart, and they are
 * called the same period wherever two solutions, peaks or signals are compared. */
#ifndef EQUANT_MODEL_PERIOD_RESOLUTION_H
#define EQUANT_MODEL_PERIOD_RESOLUTION_H

#include <math.h>
#include <stdbool.h>

/* In cycles a day. */
static inline double period_resolution_half(double span_days)
{
    return 0.5 / span_days;
}

static inline bool period_resolution_is_same(double a_days, double b_days, double span_days)
{
    return fabs(1.0 / a_days - 1.0 / b_days) < period_resolution_half(span_days);
}

#endif
