/* A star whose spots are a process that was drawn with its derivative, at times between which a
 * turn of 23 days is well seen. */
#ifndef EQUANT_TESTS_SPOTTED_STAR_H
#define EQUANT_TESTS_SPOTTED_STAR_H

#include <math.h>
#include <stdlib.h>

#include "equant.h"

#define SPOTTED_STAR_TURN_DAYS 23.0

/* White numbers, made by formula. */
static inline double spotted_star_scatter(int k, double which)
{
    return 1.4142135623730951 * sin(which * k * k + 3.1 * k + which);
}

static inline void spotted_star_draw(size_t n, double *times, double *spots, double *rate)
{
    double *room = malloc(8 * n * sizeof *room), *both_times = room, *alpha = room + 2 * n,
           *beta = room + 4 * n, *drawn = room + 6 * n;
    equant_noise *process;
    assert_non_null(room);
    for (size_t k = 0; k < n; k++) {
        times[k] = 2460000.0 + 1.9 * (double)k + 0.6 * sin(1.3 * (double)k);
        both_times[2 * k] = both_times[2 * k + 1] = times[k];
        alpha[2 * k] = beta[2 * k + 1] = 1.0;
        alpha[2 * k + 1] = beta[2 * k] = 0.0;
    }
    const equant_noise_rows rows = {.struct_size = sizeof rows,
                                    .n = 2 * n,
                                    .time_days = both_times,
                                    .alpha = alpha,
                                    .beta = beta};
    assert_int_equal(
        equant_noise_create("mep(amplitude=1, period=23, decay=50, width=0.5)", &process),
        EQUANT_SUCCESS);
    assert_int_equal(equant_noise_draw(process, &rows, NULL, 3, 0, 1, drawn), EQUANT_SUCCESS);
    equant_noise_free(process);
    for (size_t k = 0; k < n; k++) {
        spots[k] = drawn[2 * k];
        rate[k] = drawn[2 * k + 1];
    }
    free(room);
}

#endif
