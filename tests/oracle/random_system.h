/* Random planetary systems and observations for the tests, drawn as in Table 2
 * of Ford (2008). Uses + - * and nothing of libm, so that every machine draws
 * the same bits; independent of the library's own generator. */
#ifndef ORACLE_RANDOM_SYSTEM_H
#define ORACLE_RANDOM_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/* SplitMix64; start it with any seed. */
typedef struct random_system {
    uint64_t state;
} random_system;

uint64_t random_system_bits(random_system *random);
/* In [0, 1). */
double random_system_uniform(random_system *random);
double random_system_between(random_system *random, double low, double high);
/* Uniform in the logarithm; 0 < low < high. */
double random_system_log_between(random_system *random, double low, double high);
/* Uniform in 0 .. n - 1. */
size_t random_system_below(random_system *random, size_t n);

/* One planet: period_days, k_m_s, eccentricity below 0.99, omega_rad, m0_rad. */
void random_system_planet(random_system *random, double planet[5]);

/* Observations over ten years from first_time, unsorted, every instrument with
 * an offset of its own; the first n_instruments rows visit each of them. */
void random_system_observations(random_system *random, size_t n_obs, size_t n_instruments,
                                double first_time, double *time_days, double *velocity_m_s,
                                double *uncertainty_m_s, int *instrument);

#endif
