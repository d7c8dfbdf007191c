/* How far the observations of a star reach, for an axis on which all of them are seen. */
#ifndef EQUANT_APP_STARS_STAR_RANGE_H
#define EQUANT_APP_STARS_STAR_RANGE_H

#include "stars/star_result.h"

struct star_range {
    double low, high;
};

/* From below to above all y[n_obs] with their error bars and, where given (n > 0), the
 * curve[n]. */
struct star_range star_range_around(const struct star_result *star, const double *y, size_t n,
                                    const double *curve);

#endif
