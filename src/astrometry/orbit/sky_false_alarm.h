/* How often noise alone makes an orbit on the sky this good: Baluev's bound (2008, MNRAS 385, 1279)
 * for the four amplitudes of an orbit on the sky (Delisle & Segransan 2022, A&A 667, A172), with
 * eccentric orbits. An upper bound, and close to the truth where it is small. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_FALSE_ALARM_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_FALSE_ALARM_H

#include <stddef.h>

/* A stretch of the frequencies that were searched, with orbits up to an eccentricity. */
typedef struct sky_band {
    double width_per_day, eccentricity_max;
} sky_band;

/* n_rows = 0 means that the noise level is known; else it is found by both fits, beside n_base
 * parameters that are not the orbit's. */
typedef struct sky_false_alarm {
    double effective_span_days; /* sqrt(4 pi) times the standard deviation of the times */
    size_t n_bands;
    const sky_band *bands;
    size_t n_rows, n_base;
    size_t n_more_amplitudes; /* 2 where velocities stand beside: those of their own */
} sky_false_alarm;

/* That noise gains so much in ln L or more at some frequency, 0 to 1. */
double sky_false_alarm_probability(const sky_false_alarm *search, double log_likelihood_gain);

/* The same for an even number of columns more that nobody had to search for, 2 to 8. */
double sky_false_alarm_columns(size_t n_columns, size_t n_rows, size_t n_base,
                               double log_likelihood_gain);

#endif
