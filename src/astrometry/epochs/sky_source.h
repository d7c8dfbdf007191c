/* The astrometry of one source as the library keeps it: made from arrays, or by a builder. */
#ifndef EQUANT_ASTROMETRY_SKY_SOURCE_H
#define EQUANT_ASTROMETRY_SKY_SOURCE_H

#include "astrometry/epochs/sky_builder.h"

struct equant_astrometry {
    size_t n_rows; /* at least one, sorted by time */
    double *time_days;
    double *abscissa_mas;
    double *uncertainty_mas;
    double *angle_rad;
    double *parallax_factor; /* zeros where there was none */
    double *colour_factor;   /* NULL: none */
    equant_sky_kind *kind;
    int64_t *transit;
    int *frame; /* of the zero of position */
    size_t n_transits;
    double reference_jd;
    bool lacks_parallax, lacks_motion; /* as in sky_builder.h */
    int64_t source_id;                 /* 0: none */
    char *name;                        /* never NULL, as is format */
    char *format;
    size_t n_remarks;
    char **remarks;
};

#endif
