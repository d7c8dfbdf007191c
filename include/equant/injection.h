/* equant/injection.h: injections into velocities. Which planets a fit of one star would have found,
 * by period and semi-amplitude. */
#ifndef EQUANT_INJECTION_H
#define EQUANT_INJECTION_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/fit.h"
#include "equant/progress.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct equant_injection_options {
    size_t struct_size;
    const equant_fit_options *fit; /* how the star is fitted, and by what planets are named; NULL:
                                      defaults. Its progress does not count; states do not go with
                                      injections */
    double period_min_days, period_max_days; /* of planets, log-uniform; 0: 1 day, twice the span */
    double k_min_m_s, k_max_m_s; /* log-uniform; 0: 1 and 40 times the error that white noise would
                                    leave K */
    double eccentricity_max;     /* 0: 0.95. Below it eccentricities have the Beta distribution of
                                    Kipping (2013), or are 0 where all_circular is 1 */
    int all_circular;
    size_t n_periods, n_amplitudes; /* cells of the map; 0: 12 and 10 */
    size_t n_draws;                 /* planets of a cell; 0: 84, ten thousand in all */
    int drawn_noise; /* 0: each planet is added to the residuals of the star; 1: to a new draw of
                        the noise of its fit */
    uint64_t seed;
    equant_progress progress; /* NULL: none. It may end the call with EQUANT_ERROR_CANCELLED */
    void *progress_context;
} equant_injection_options;

typedef struct equant_injection equant_injection;

/* Fits the star, adds planets with random eccentricity, phase and argument of pericentre to what
 * the fit leaves, and decides for each whether a fit would name it: whether the posterior
 * probability that there is one planet more with its period is probability_min of the fit, or 0.95.
 * The model of the star (planets, trend, noise) is refitted linearly under each planet, and its
 * jitters follow. Recovered is a planet that is named, unless the star shows the same signal
 * without it. Same seed, same map, on any number of threads. options may be NULL; the caller frees
 * *injection. */
EQUANT_API equant_status equant_injection_create(const equant_dataset *dataset,
                                                 const equant_injection_options *options,
                                                 equant_injection **injection);
EQUANT_API void equant_injection_free(equant_injection *injection);

/* Cells, and their edges: [n_periods + 1] and [n_amplitudes + 1]. */
EQUANT_API size_t equant_injection_n_periods(const equant_injection *injection);
EQUANT_API size_t equant_injection_n_amplitudes(const equant_injection *injection);
EQUANT_API size_t equant_injection_n_draws(const equant_injection *injection);
EQUANT_API const double *equant_injection_period_edges_days(const equant_injection *injection);
EQUANT_API const double *equant_injection_k_edges_m_s(const equant_injection *injection);

/* The share of the planets of each cell that is recovered, [n_amplitudes][n_periods]. */
EQUANT_API const double *equant_injection_recovered(const equant_injection *injection);

/* Planets of the star's own fit, and the probability from which a planet is named. */
EQUANT_API size_t equant_injection_n_planets(const equant_injection *injection);
EQUANT_API double equant_injection_probability_min(const equant_injection *injection);

/* One of the injected planets; m0 is counted from the reference time of the data set. */
typedef struct equant_injected {
    size_t struct_size;
    double period_days, k_m_s, eccentricity, omega_rad, m0_rad;
    double probability; /* that there is one planet more with this period */
    int is_recovered;
} equant_injected;

EQUANT_API size_t equant_injection_n(const equant_injection *injection);
EQUANT_API equant_status equant_injection_at(const equant_injection *injection, size_t index,
                                             equant_injected *planet);

#ifdef __cplusplus
}
#endif
#endif
