/* equant/sky_periodogram.h: periodograms of astrometry. How much an orbit of each period would
 * explain of what a source does on the sky. */
#ifndef EQUANT_SKY_PERIODOGRAM_H
#define EQUANT_SKY_PERIODOGRAM_H

#include <stddef.h>

#include "equant/astrometry.h"
#include "equant/evaluate.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct equant_sky_periodogram_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: the usual                    */
    double period_min_days;              /* 0: 1 day                           */
    double period_max_days;              /* 0: 20 times the span               */
    double eccentricity_max;             /* 0: 0.95                            */
    int no_colour;                       /* 1: without the column of the colour */
} equant_sky_periodogram_options;

typedef struct equant_sky_periodogram equant_sky_periodogram;

/* The gain in ln L of the best orbit at each frequency of the grid on which equant_sky_fit_create
 * searches, behind the five parameters of the star and with a jitter where these ask for one. Means
 * of transits are taken. options may be NULL; the caller frees *periodogram. Rows of companions,
 * and too few rows for an orbit, are EQUANT_ERROR_INVALID_ARGUMENT. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_periodogram_create(
    const equant_astrometry *source, const equant_sky_periodogram_options *options,
    equant_sky_periodogram **periodogram);
EQUANT_EXPERIMENTAL EQUANT_API void
equant_sky_periodogram_free(equant_sky_periodogram *periodogram);

/* Frequencies, from the lowest, and for each the gain and the eccentricity of its best orbit: views
 * of [n], valid until the periodogram is freed. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_periodogram_n(const equant_sky_periodogram *periodogram);
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_sky_periodogram_frequency_per_day(const equant_sky_periodogram *periodogram);
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_sky_periodogram_gain(const equant_sky_periodogram *periodogram);
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_sky_periodogram_eccentricity(const equant_sky_periodogram *periodogram);

/* The gain that noise alone reaches anywhere with this probability, above 0 and below 1; else
 * NaN. */
EQUANT_EXPERIMENTAL EQUANT_API double
equant_sky_periodogram_level(const equant_sky_periodogram *periodogram, double false_alarm);

#ifdef __cplusplus
}
#endif
#endif
