/* Proper motions of catalogues as rows of a fit. A catalogue's motion is what a fit of five
 * parameters makes of the path of a star along the scans of a mission: a sum over places on that
 * path with weights that depend on the scans alone. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_MOTION_ROWS_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_MOTION_ROWS_H

#include "equant.h"

/* Six of the motions, along the axes of their error ellipses, and the parallax. */
enum { SKY_MOTION_ROWS = 7 };

/* A sum of places: of the star's offset towards East times `sine`, towards North times `cosine`. */
typedef struct sky_path {
    size_t n;
    double *time_days, *sine, *cosine; /* [n]; times since the reference time of the fit */
} sky_path;

typedef struct sky_motion_rows {
    double value[SKY_MOTION_ROWS], uncertainty[SKY_MOTION_ROWS]; /* mas/yr; of the parallax mas */
    double time_days[SKY_MOTION_ROWS];                           /* about when                  */
    double base[SKY_MOTION_ROWS][3]; /* factors of pm_ra, pm_dec, parallax */
    sky_path path[SKY_MOTION_ROWS];
} sky_motion_rows;

/* Scans are those of GOST for Gaia, and files of Hipparcos, of 1997 and later ones: with both of
 * these its motion is 0.4 of the first and 0.6 of the second, as the catalogue has it. Without
 * scans of a mission the motion is averaged over its years. reference_jd is that of the fit. */
equant_status sky_motion_rows_create(const equant_sky_motions *motions, size_t n_scans,
                                     const equant_astrometry *const *scans, double reference_jd,
                                     sky_motion_rows *rows);
void sky_motion_rows_free(sky_motion_rows *rows);

#endif
