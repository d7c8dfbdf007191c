/* Transits of Gaia's epoch astrometry, put together to sources: which CCDs count, what times and
 * angles mean, and a sentence about each decision. */
#ifndef EQUANT_ASTROMETRY_GAIA_SOURCE_H
#define EQUANT_ASTROMETRY_GAIA_SOURCE_H

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/formats/gaia_clock.h"
#include "astrometry/formats/gaia_transit.h"
#include "astrometry/formats/sky_format.h"

/* The source that is being read. Zero-initialise, then set `input`, `format` and `remark`. */
typedef struct gaia_source {
    const sky_input *input;
    const char *format; /* for people */
    const char *remark; /* about the file, in front of all others; NULL: none */
    sky_builder builder;
    bool is_open; /* a transit has been added since the last source was finished */
    size_t n_rows;
    size_t n_ccds, n_unused, n_unfinished, n_sentinels; /* CCDs, and why they were left out */
    size_t n_kept_unused;                               /* taken in spite of it */
    gaia_clock clock; /* of the source; unknown before its first time */
    bool has_numbers, has_flags, has_correction, has_parallax;
    double excess_noise_mas;
} gaia_source;

/* Where a transit stands, for messages: a line of text, or a row. */
typedef struct gaia_place {
    bool is_line;
    size_t number;
} gaia_place;

/* Adds a transit; one of another source finishes the one before. */
equant_status gaia_source_add(gaia_source *source, const gaia_transit *transit,
                              const gaia_place *place);

/* Finishes the last source of a file. A file without any row that could be used is an error. */
equant_status gaia_source_end(gaia_source *source);

void gaia_source_free(gaia_source *source);

#endif
