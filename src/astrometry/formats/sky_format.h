/* What a format of astrometry is: how it is recognised, and how its sources come out of a file. */
#ifndef EQUANT_ASTROMETRY_SKY_FORMAT_H
#define EQUANT_ASTROMETRY_SKY_FORMAT_H

#include <stdbool.h>

#include "astrometry/formats/sky_queue.h"
#include "core/files/zip_archive.h"
#include "equant.h"

/* What a reader is given. */
typedef struct sky_input {
    const char *path;
    zip_archive *archive;          /* that the file stands in; NULL: none */
    bool keeps_rejected;           /* rows that whoever made the file did not use */
    bool keeps_uncertainties;      /* those of Hipparcos as they are written */
    int64_t source_id;             /* only this source; 0: all */
    double catalogue_parallax_mas; /* that residuals lack; 0: none is given */
    sky_queue *queue;              /* where sources go */
} sky_input;

/* Either the whole text at once, or piece by piece with a state: for files of many sources. */
typedef struct sky_format {
    bool (*is)(const char *head, size_t n_bytes); /* by the first bytes of a file */
    bool is_guess; /* only for files that are known to be astrometry */
    equant_status (*read_text)(const char *text, size_t n_bytes, const sky_input *input);
    equant_status (*open)(const sky_input *input, void **state); /* `input` outlives the state */
    equant_status (*step)(void *state, bool *is_at_end);
    void (*close)(void *state);
} sky_format;

/* Whether a file of a file_walk is one of astrometry. */
bool sky_format_recognises(zip_archive *archive, const char *path);

/* Those of others are VOTables and FITS files whose beginning does not tell that they are of Gaia.
 */
extern const sky_format gaia_text_format, gaia_fits_format, gaia_votable_format, hipparcos_format,
    other_fits_format, other_votable_format, hipparcos_1997_format, relative_table_format,
    relative_with_velocities_format, gost_table_format, column_table_format, five_columns_format;

#endif
