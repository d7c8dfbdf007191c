/* Panels about a source: its path on the sky, an orbit, residuals, velocities, a periodogram. */
#ifndef EQUANT_APP_SKY_SKY_PANELS_H
#define EQUANT_APP_SKY_SKY_PANELS_H

#include <stdio.h>

#include "sky/sky_star.h"

/* Where a panel is, by its frame. */
struct sky_panel {
    FILE *page;
    double left, top, width, height;
};

/* Room that numbers and labels take around a frame. */
#define SKY_PANELS_LEFT 58.0
#define SKY_PANELS_RIGHT 24.0
#define SKY_PANELS_YEARS 24.0
#define SKY_PANELS_BELOW 42.0
#define SKY_PANELS_FAP 52.0

/* On the sky North is up and East is left, and both have the same scale. Each returns an exit code,
 * with a sentence on failure. */
int sky_panels_path(const struct sky_panel *panel, const struct sky_star *star);
int sky_panels_orbit(const struct sky_panel *panel, const struct sky_star *star, size_t companion);

/* A column of the scans over time, or over the scan angle; what it is called is written inside. */
enum sky_panels_abscissa { SKY_OVER_TIME, SKY_OVER_ANGLE };
void sky_panels_residuals(const struct sky_panel *panel, const struct sky_star *star,
                          enum sky_scan_column column, enum sky_panels_abscissa over,
                          const char *title, bool has_years, bool has_numbers);

/* Velocities with the curve of the orbits, or what these leave. */
int sky_panels_velocities(const struct sky_panel *panel, const struct sky_star *star);
void sky_panels_velocity_residuals(const struct sky_panel *panel, const struct sky_star *star);

/* The gain of the best orbit over its period. */
void sky_panels_periodogram(const struct sky_panel *panel, const struct sky_star *star);

#endif
