/* The points at which the density of a mixture of normal distributions is summed: steps of a
 * quarter of the narrowest, to seven widths of the widest beyond the outermost means. */
#ifndef EQUANT_STATISTICS_MIXTURE_LATTICE_H
#define EQUANT_STATISTICS_MIXTURE_LATTICE_H

#include <math.h>
#include <stddef.h>

#include "model/shared_function.h"

/* How far from its middle the density of a component is taken, in its own widths; how many points
 * there may be: beyond, steps grow. */
#define MIXTURE_STEPS_PER_WIDTH 4.0
#define MIXTURE_REACH 7.0
enum { MIXTURE_MOST_POINTS = 1 << 18 };

#define MIXTURE_ENTROPY_OF_UNIT 1.4189385332046727418 /* of a standard normal distribution */
#define MIXTURE_UNIT_HEIGHT 0.39894228040143267794    /* its density in the middle         */

typedef struct mixture_lattice {
    double first, step;
    size_t n;
} mixture_lattice;

/* From the outermost means and the smallest and largest variances. */
SHARED_FUNCTION mixture_lattice mixture_lattice_of(double low, double high, double narrowest,
                                                   double widest)
{
    mixture_lattice made;
    double reach = MIXTURE_REACH * sqrt(widest), length = high - low + 2.0 * reach;
    made.step = sqrt(narrowest) / MIXTURE_STEPS_PER_WIDTH;
    if (length / made.step > MIXTURE_MOST_POINTS - 2)
        made.step = length / (MIXTURE_MOST_POINTS - 2);
    made.n = (size_t)(length / made.step) + 2;
    made.first = low - reach;
    return made;
}

/* Points of a component on either side of the one next to its middle; step over width is h. */
SHARED_FUNCTION long mixture_lattice_reach(double h)
{
    return (long)(MIXTURE_REACH / h) + 1;
}

#endif
