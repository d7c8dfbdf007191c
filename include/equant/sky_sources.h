/* equant/sky_sources.h: lists of sources, and their velocities. What tables say of sources beside
 * their epochs: masses, names, numbers of DR3; and velocities of whatever telescopes, to be joined
 * with their astrometry. */
#ifndef EQUANT_SKY_SOURCES_H
#define EQUANT_SKY_SOURCES_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
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

/* Velocities of many stars in memory, 28 bytes for each and 40 for each star. */
typedef struct equant_sky_velocities equant_sky_velocities;

typedef struct equant_sky_velocities_options {
    size_t struct_size;
    const equant_dataset_options *reading; /* of the files; NULL: the usual */
    const equant_sky_sources *sources;     /* names of stars; NULL: all have numbers of sources */
    size_t n_mixed; /* the first files have other things, too: what cannot be read there is passed
                       over                                                                    */
} equant_sky_velocities_options;

/* Reads all stars of files, as equant_star_stream does. A star is that of the source whose number
 * it has, or whose name (equant_sky_sources_id); what several files have of one is joined, times as
 * Julian dates. options may be NULL; the caller frees *velocities. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_velocities_read(
    size_t n_paths, const char *const *paths, const equant_sky_velocities_options *options,
    equant_sky_velocities **velocities);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sky_velocities_free(equant_sky_velocities *velocities);

/* Stars, in the order in which they were read. 0 for one that is not there. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_velocities_n(const equant_sky_velocities *velocities);
EQUANT_EXPERIMENTAL EQUANT_API int64_t
equant_sky_velocities_source_id(const equant_sky_velocities *velocities, size_t index);
/* SIZE_MAX where there are none of a source; velocities may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_velocities_find(const equant_sky_velocities *velocities, int64_t source_id);
/* The data set of a star, for the caller to free. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_velocities_dataset(
    const equant_sky_velocities *velocities, size_t index, equant_dataset **dataset);

/* Stars that no source is known for, and the name of the first; stars that could not be read, and
 * the sentence about the first. "" where there are none. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_velocities_n_unknown(const equant_sky_velocities *velocities);
EQUANT_EXPERIMENTAL EQUANT_API const char *
equant_sky_velocities_unknown(const equant_sky_velocities *velocities);
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_velocities_n_failed(const equant_sky_velocities *velocities);
EQUANT_EXPERIMENTAL EQUANT_API const char *
equant_sky_velocities_failure(const equant_sky_velocities *velocities);
/* What was guessed of the first star of a file; NULL when index is out of range. */
EQUANT_EXPERIMENTAL EQUANT_API const char *
equant_sky_velocities_warning(const equant_sky_velocities *velocities, size_t index);

#ifdef __cplusplus
}
#endif
#endif
