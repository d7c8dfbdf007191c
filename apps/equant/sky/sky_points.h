/* How scans of a source are shown. */
#ifndef EQUANT_APP_SKY_SKY_POINTS_H
#define EQUANT_APP_SKY_SKY_POINTS_H

#include <stddef.h>

/* Many points are drawn smaller, so that they can be told apart. */
static inline double sky_points_radius(size_t n)
{
    return n <= 50 ? 3.0 : n <= 200 ? 2.4 : n <= 1000 ? 1.7 : 1.2;
}

#endif
