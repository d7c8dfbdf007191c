/* equant/sky_injection.h: injections into astrometry. Which companions a search of one source would
 * have found, by period and by the size of the star's orbit. */
#ifndef EQUANT_SKY_INJECTION_H
#define EQUANT_SKY_INJECTION_H

#include <stddef.h>
#include <stdint.h>

#include "equant/astrometry.h"
#include "equant/evaluate.h"
#include "equant/progress.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct equant_sky_injection_options {
    size_t struct_size;
    const equant_engine_options *engine; /* as equant_sky_catalogue_options has it              */
    double false_alarm_max;              /* of what counts as found; 0: 1e-3                    */
    double period_min_days, period_max_days; /* of companions, log-uniform; 0: 30 days, 2 spans */
    double a0_min_mas, a0_max_mas;           /* log-uniform; 0: 0.1 and 10 times the error of a mean
                                                transit                                             */
    double eccentricity_max;   /* of companions, uniform from 0; 0: 0.5               */
    size_t n_periods, n_sizes; /* cells of the map; 0: 12 and 10                      */
    size_t n_draws;            /* companions of a cell; 0: 84, ten thousand in all    */
    uint64_t seed;
    equant_progress progress; /* NULL: none. It may end the call with EQUANT_ERROR_CANCELLED */
    void *progress_context;
} equant_sky_injection_options;

typedef struct equant_sky_injection equant_sky_injection;

/* Takes the scans of a source with the errors and the jitter of its fit, puts companions with
 * random orientation and phase on them, with fresh noise, and looks for each with the scan of
 * equant_sky_catalogue_run, from 10 days to 20 spans. Found is a companion where noise makes the
 * best node with a probability below false_alarm_max, recovered where that node has also its
 * period, within 10 per cent or two steps of the grid. Same seed, same map, on any number of
 * threads. options may be NULL; the caller frees *injection. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_injection_create(
    const equant_astrometry *source, const equant_sky_injection_options *options,
    equant_sky_injection **injection);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sky_injection_free(equant_sky_injection *injection);

/* Cells, and their edges: [n_periods + 1] and [n_sizes + 1]. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_injection_n_periods(const equant_sky_injection *injection);
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_injection_n_sizes(const equant_sky_injection *injection);
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_injection_n_draws(const equant_sky_injection *injection);
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_sky_injection_period_edges_days(const equant_sky_injection *injection);
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_sky_injection_a0_edges_mas(const equant_sky_injection *injection);

/* Shares of the companions of each cell, [n_sizes][n_periods], and the parallax of the source in
 * mas, from which and a star's mass a0 becomes a mass; NaN: unknown. */
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_sky_injection_found(const equant_sky_injection *injection);
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_sky_injection_recovered(const equant_sky_injection *injection);
EQUANT_EXPERIMENTAL EQUANT_API double
equant_sky_injection_parallax_mas(const equant_sky_injection *injection);

/* The dark mass, in Jupiters, that makes a star of so many suns go around an orbit of a0 in a
 * period; NaN where a number is not above zero. */
EQUANT_API double equant_sky_companion_mass(double a0_mas, double period_days, double parallax_mas,
                                            double star_mass);

#ifdef __cplusplus
}
#endif
#endif
