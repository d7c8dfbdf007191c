/* Which periods data can tell apart: every tolerance on the difference of two frequencies, in units
 * of the resolution of a periodogram, 1/T, with T the span of the data. Sinusoids whose frequencies
 * differ by 1/T drift apart by a whole cycle between the first observation and the last. */
#ifndef EQUANT_MODEL_PERIOD_RESOLUTION_H
#define EQUANT_MODEL_PERIOD_RESOLUTION_H

#include <math.h>
#include <stdbool.h>

/* Two orbits this close are degenerate: their amplitudes grow without limit, and cancel. */
#define PERIOD_DEGENERATE 0.1
/* The same period: the sinusoids stay within a quarter of a cycle of each other on either side of
 * the middle, and the data do not tell them apart. Solutions, peaks and signals are compared so. */
#define PERIOD_SAME 0.5
/* One peak: each lies within the main lobe of the other, so a model has one of them, and a peak is
 * explained by a known frequency, its alias or its harmonic. */
#define PERIOD_ONE_PEAK 1.0
/* The first two side lobes of a window without gaps have their maxima at 1.43/T and 2.46/T. */
#define PERIOD_SIDE_LOBES 2.5

static inline double period_resolution_apart(double a_days, double b_days, double span_days)
{
    return fabs(1.0 / a_days - 1.0 / b_days) * span_days;
}

static inline bool period_resolution_is_same(double a_days, double b_days, double span_days)
{
    return period_resolution_apart(a_days, b_days, span_days) < PERIOD_SAME;
}

#endif
