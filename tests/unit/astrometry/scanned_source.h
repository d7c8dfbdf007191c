/* A source as Gaia scans it, in random directions: a parallax, noise of a tenth of a
 * milliarcsecond, and a companion on a circle that is seen face on. */
#ifndef EQUANT_TESTS_SCANNED_SOURCE_H
#define EQUANT_TESTS_SCANNED_SOURCE_H

#include <math.h>

#include "equant.h"

enum { SCANNED_SOURCE_MOST_ROWS = 60 };

typedef struct scanned_source {
    size_t n_rows;
    uint64_t seed;
    double between_days; /* one row and the next */
    equant_sky_kind kind;
    double parallax_mas;          /* of the star alone */
    double size_mas, period_days; /* of the circle; 0: none */
} scanned_source;

static inline equant_astrometry *scanned_source_make(const scanned_source *of)
{
    enum { MOST = SCANNED_SOURCE_MOST_ROWS };
    double time[MOST], value[MOST], error[MOST], angle[MOST], factor[MOST], u[4 * MOST];
    equant_sky_kind kinds[MOST];
    const double two_pi = 6.283185307179586;
    assert_int_equal(equant_random_uniform(of->seed, 5, 0, 4 * MOST, u), EQUANT_SUCCESS);
    for (size_t k = 0; k < of->n_rows; k++) {
        double noise = sqrt(-2.0 * log(1.0 - u[4 * k])) * cos(two_pi * u[4 * k + 1]);
        time[k] = -900.0 + of->between_days * (double)k + 10.0 * u[4 * k + 2];
        angle[k] = two_pi * u[4 * k + 3];
        factor[k] =
            of->kind == EQUANT_SKY_STAR ? 0.7 * sin(angle[k] + two_pi * time[k] / 365.25) : 0.0;
        error[k] = 0.1;
        kinds[k] = of->kind;
        value[k] = of->parallax_mas * factor[k] + 0.1 * noise;
        if (of->size_mas > 0.0)
            value[k] += of->size_mas * sin(angle[k] + two_pi * time[k] / of->period_days);
    }
    const equant_sky_rows rows = {.struct_size = sizeof rows,
                                  .n_rows = of->n_rows,
                                  .time_days = time,
                                  .abscissa_mas = value,
                                  .uncertainty_mas = error,
                                  .angle_rad = angle,
                                  .parallax_factor = factor,
                                  .kind = kinds};
    equant_astrometry *source = NULL;
    assert_int_equal(equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, "", &source),
                     EQUANT_SUCCESS);
    return source;
}

#endif
