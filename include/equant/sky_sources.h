/* equant/sky_sources.h: lists of sources. What tables say of sources beside their epochs: masses,
 * names, numbers of DR3. */
#ifndef EQUANT_SKY_SOURCES_H
#define EQUANT_SKY_SOURCES_H

#include <stddef.h>
#include <stdint.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One source. Numbers that no table has are NaN, flags -1. */
typedef struct equant_sky_source {
    size_t struct_size;
    int64_t source_id;     /* of DR4                                                */
    int64_t dr3_source_id; /* 0: unknown                                            */
    int has_epoch_astrometry;
    int has_epoch_rvs;               /* 0 none, 1 faint, 2 weak, 3 good, as Gaia has it */
    double parallax_bias_mas;        /* to be subtracted from the parallax              */
    double star_mass, star_mass_err; /* solar masses                                    */
    double ks_mag;                   /* magnitude of 2MASS                              */
} equant_sky_source;

typedef struct equant_sky_sources equant_sky_sources;

/* Reads tables with a column source_id and any of dr3_source_id (with angular_distance and
 * probable_match, which choose among several), name or star, has_epoch_astrometry, has_epoch_rvs,
 * tentative_parallax_bias, star_mass with star_mass_err, m1 with m1_lower and m1_upper, ks_mag:
 * csv, ECSV, VOTable or FITS. What several tables say of a source is joined; of two values the last
 * counts. The caller frees *sources. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_sources_read(size_t n_paths,
                                                                     const char *const *paths,
                                                                     equant_sky_sources **sources);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sky_sources_free(equant_sky_sources *sources);

/* In the order of their numbers. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_sky_sources_n(const equant_sky_sources *sources);
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_sky_sources_at(const equant_sky_sources *sources, size_t index, equant_sky_source *source);

/* 1 and the source with a number of DR4; 0: it is not in the list. sources may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API int equant_sky_sources_find(const equant_sky_sources *sources,
                                                           int64_t source_id,
                                                           equant_sky_source *source);

/* The number of DR4 that a name or a number stands for: a number that the list has as one of DR4,
 * or as one of DR3, or any other number itself; a name of the list. 0 where there is none. sources
 * may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API int64_t equant_sky_sources_id(const equant_sky_sources *sources,
                                                             const char *name);

/* The mass of a main-sequence star from its magnitude and parallax, by the relation of Mann et al.
 * (2019, ApJ 871, 63) for absolute Ks from 4 to 11, with its scatter of 2.2 per cent; NaN outside
 * of it. */
EQUANT_EXPERIMENTAL EQUANT_API double equant_sky_mass_from_ks(double ks_mag, double parallax_mas,
                                                              double *error);

#ifdef __cplusplus
}
#endif
#endif
