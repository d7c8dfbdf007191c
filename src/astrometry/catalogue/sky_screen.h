/* A source before its scan: five parameters with their jitter, and what they leave; behind it,
 * whether that could be anything but noise. */
#ifndef EQUANT_ASTROMETRY_CATALOGUE_SKY_SCREEN_H
#define EQUANT_ASTROMETRY_CATALOGUE_SKY_SCREEN_H

#include "astrometry/orbit/sky_grid.h"

typedef struct sky_screen {
    bool is_solved;               /* the rows determine five parameters          */
    bool has_jitter;              /* and ask for a jitter */
    bool is_scanned;              /* and leave enough for an orbit                */
    equant_sky_catalogue_row row; /* as five parameters tell it     */
    sky_scan_source source;       /* whitened, for the scan         */
    double *memory;               /* behind it                      */
    double span_days, residual_square, effective_span_days;
    double columns_chance; /* that noise gains what acceleration, jerk or harmonics do */
    sky_grid grid;
} sky_screen;

/* A row of a source that is not solved; NULL: there is none. */
void sky_screen_start_row(const equant_astrometry *source, equant_sky_catalogue_row *row);

/* Failures of the source itself are no failures of this: is_solved tells. */
equant_status sky_screen_create(const equant_astrometry *source, const sky_limits *limits,
                                bool has_colour, sky_screen *screen);
void sky_screen_free(sky_screen *screen);

/* The gain in ln L of a fall of chi-square: with the errors as they are, or, where five parameters
 * ask for a jitter, with a noise level that both fits choose. */
double sky_screen_gain(const sky_screen *screen, double fall);

/* That noise alone gains so much somewhere on the grid. */
double sky_screen_chance(const sky_screen *screen, double gain);

/* Completes the row by the best node of the scan; true where the source is worth a fit. */
bool sky_screen_judge(sky_screen *screen, const sky_scan_node *best, double false_alarm_max);

#endif
