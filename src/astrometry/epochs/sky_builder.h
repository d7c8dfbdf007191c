/* A source that grows row by row, as readers make it. */
#ifndef EQUANT_ASTROMETRY_SKY_BUILDER_H
#define EQUANT_ASTROMETRY_SKY_BUILDER_H

#include <stdbool.h>

#include "equant.h"

/* One row on its way into a builder. */
typedef struct sky_row {
    double time_days;
    double abscissa_mas;
    double uncertainty_mas;
    double angle_rad;
    double parallax_factor;
    double colour_factor;
    equant_sky_kind kind;
    int64_t transit;
    int frame; /* of the zero of position: 0, or 1 in rows of a second mission */
} sky_row;

/* A source that grows. Zero-initialise; free it whatever becomes of it. */
typedef struct sky_builder {
    size_t n_rows, capacity;
    sky_row *rows;
    bool has_colour; /* colour factors of the rows are meant */
    int64_t source_id;
    double reference_jd;
    /* Abscissae are residuals to a solution whose parallax, or whose motion, is not known: what a
       fit has of it is a correction. */
    bool lacks_parallax, lacks_motion;
    char *name, *format;
    size_t n_remarks;
    char **remarks;
} sky_builder;

/* Appends a row that has been checked. */
equant_status sky_builder_add(sky_builder *builder, sky_row row);

__attribute__((format(printf, 2, 3))) equant_status sky_builder_remark(sky_builder *builder,
                                                                       const char *format, ...);

/* Copies what messages call the source, and what its file is. */
equant_status sky_builder_set_name(sky_builder *builder, const char *name);
equant_status sky_builder_set_format(sky_builder *builder, const char *format);

/* Sorts the rows, of which there is at least one, and makes a source of them. The builder is empty
 * afterwards, whether or not this succeeds. */
equant_status sky_builder_finish(sky_builder *builder, equant_astrometry **source);

void sky_builder_free(sky_builder *builder);

#endif
