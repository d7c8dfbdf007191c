/* equant/random.h: random numbers and random orbits. Counter-based: same seed, same draws. */
#ifndef EQUANT_RANDOM_H
#define EQUANT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------ */
/* Random numbers                                                            */

/* Philox4x32-10 of Random123, addressed and not stepped: draw `index` of
 * stream (seed, purpose) is the same number whoever asks for it and when.
 * Fills out[n] with draws first, first + 1, ... */
EQUANT_API equant_status equant_random_uniform(uint64_t seed, uint32_t purpose, uint64_t first,
                                               size_t n, double *out); /* in (0, 1)       */
EQUANT_API equant_status equant_random_normal(uint64_t seed, uint32_t purpose, uint64_t first,
                                              size_t n, double *out); /* mean 0, sigma 1  */

/* ------------------------------------------------------------------------ */
/* Random orbits                                                             */

/* The distributions of Ford (2008), Table 2; zeros mean that paper's values. */
typedef struct equant_orbit_distribution {
    size_t struct_size;
    double period_min_days, period_max_days; /* log-uniform [2, 3652.5)        */
    double k_min_m_s, k_max_m_s;             /* log-uniform [1, 500)           */
    double eccentricity_max;                 /* uniform [0, 0.99)              */
} equant_orbit_distribution;

/* Draws systems first, first + 1, ... of the given seed: [n_sets][n_planets]
 * [EQUANT_N_ELEMENTS], rows in the order of equant_model_n_parameters. distribution
 * may be NULL. */
EQUANT_API equant_status equant_orbits_draw(const equant_orbit_distribution *distribution,
                                            uint64_t seed, uint64_t first, size_t n_sets,
                                            size_t n_planets, double *parameters);

#ifdef __cplusplus
}
#endif
#endif
