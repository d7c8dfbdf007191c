/* Where a star stands on the sky, found from its parallax factors: they are what the motion of the
 * Earth looks like along the scans, and two angles explain all of them. */
#ifndef EQUANT_APP_SKY_PARALLAX_PATH_H
#define EQUANT_APP_SKY_PARALLAX_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct parallax_path {
    bool is_known; /* the factors are those of some place on the sky */
    double right_ascension_rad, declination_rad;
};

/* From n rows: times as Julian dates, directions, factors along them. */
struct parallax_path parallax_path_find(size_t n, double reference_jd, const double *time_days,
                                        const double *angle_deg, const double *factor);

/* Parallax factors towards East and North. */
void parallax_path_factors(const struct parallax_path *path, double jd, double factors[2]);

#endif
