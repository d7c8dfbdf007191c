/* equant/sky_velocities.h: velocities of many sources. What several files have of each, to be
 * joined with its astrometry. */
#ifndef EQUANT_SKY_VELOCITIES_H
#define EQUANT_SKY_VELOCITIES_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/sky_sources.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

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
