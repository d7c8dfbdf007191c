/* Frequencies, eccentricities and phases at which an orbit is looked for: a step of 1/(2 pi span),
 * and layers between whose nodes an orbit keeps 94 per cent of its gain at worst. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_GRID_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_GRID_H

#include "astrometry/orbit/sky_false_alarm.h"
#include "astrometry/solution/sky_refine.h"
#include "core/sky/sky_scan.h"

enum { SKY_GRID_MAX_LAYERS = 8, SKY_GRID_MAX_BANDS = 4 };

typedef struct sky_grid {
    double first_frequency_per_day, step_per_day;
    size_t n_bins, n_layers;
    sky_scan_layer layers[SKY_GRID_MAX_LAYERS];
    sky_limits limits;
    size_t n_bands;
    sky_band bands[SKY_GRID_MAX_BANDS]; /* for false alarms */
} sky_grid;

/* Whether the data are short enough for these periods; ask before the grid is made. */
equant_status sky_grid_check(double span_days, const sky_limits *limits);

sky_grid sky_grid_make(double span_days, const sky_limits *limits);

/* The limits within which an orbit of about this period is refined. */
sky_limits sky_grid_limits(const sky_grid *grid, double period_days);

#endif
