/* The rows whose likelihoods are known to twenty digits: made by formula, so that anybody can make
 * them again. */
#ifndef EQUANT_TESTS_UNIT_NOISE_REFERENCE_ROWS_H
#define EQUANT_TESTS_UNIT_NOISE_REFERENCE_ROWS_H

#include <math.h>

#include "equant.h"

enum { N = 40, LONG = 1000 };
#define TWO_PI 6.283185307179586476925286766559

static double times[LONG], values[LONG], variances[LONG];

/* A set-up of cmocka. */
static int make_rows(void **state)
{
    (void)state;
    for (int i = 0; i < LONG; i++) {
        double sigma = 1.0 + 0.3 * cos(0.7 * i);
        times[i] = 1.7 * i + 0.6 * sin(1.3 * i);
        values[i] = 5.0 * sin(TWO_PI * times[i] / 11.3) + 3.0 * cos(TWO_PI * times[i] / 4.1 + 0.5) +
                    1.5 * sin(2.9 * i);
        variances[i] = sigma * sigma + 0.25;
    }
    return 0;
}

static inline equant_noise_rows first_rows(size_t n)
{
    return (equant_noise_rows){.struct_size = sizeof(equant_noise_rows),
                               .n = n,
                               .time_days = times,
                               .values = values,
                               .variances = variances};
}

#endif
