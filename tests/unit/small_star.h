/* A few observations of a star by two instruments, for tests of priors and posteriors. */
#ifndef EQUANT_TESTS_SMALL_STAR_H
#define EQUANT_TESTS_SMALL_STAR_H

#include <math.h>
#include <stddef.h>

#include <cmocka.h>

#include "equant.h"

enum { SMALL_STAR_N_OBS = 45 };

static const char *const small_star_instruments[2] = {"first", "second"};

/* The caller frees the data set. Velocities are about 5000 m/s for the first instrument and
 * -20 m/s for the second; the second may be left out. */
static inline equant_dataset *small_star(size_t n_instruments)
{
    double time[SMALL_STAR_N_OBS], velocity[SMALL_STAR_N_OBS], sigma[SMALL_STAR_N_OBS];
    int instrument[SMALL_STAR_N_OBS];
    for (int k = 0; k < SMALL_STAR_N_OBS; k++) {
        time[k] = 2455000.0 + fmod(37.7 * k, 211.0);
        instrument[k] = n_instruments == 2 && k % 3 == 0;
        sigma[k] = 1.0 + 0.3 * (k % 4);
        velocity[k] =
            (instrument[k] ? -20.0 : 5000.0) + 12.0 * cos(0.3 * time[k]) + 2.5 * cos(1.7 * k * k);
    }
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(SMALL_STAR_N_OBS, time, velocity, sigma, instrument,
                                                n_instruments, small_star_instruments, NULL,
                                                &dataset),
                     EQUANT_SUCCESS);
    return dataset;
}

#endif
