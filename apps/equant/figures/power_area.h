/* What all periodograms have: an area under a curve over frequencies, and lines of false-alarm
 * probability. */
#ifndef EQUANT_APP_FIGURES_POWER_AREA_H
#define EQUANT_APP_FIGURES_POWER_AREA_H

#include "drawing/plot.h"

/* Inside a plot whose horizontal axis is the period: n frequencies, from the lowest. */
void power_area_draw(const struct plot *plot, const char *class, size_t n,
                     const double *frequency_per_day, const double *values);

enum { POWER_AREA_MOST_LEVELS = 8 };

/* Dashed lines at the levels of n false-alarm probabilities, the largest first, with labels beside
 * the frame; levels that are not finite or out of sight are left out. */
void power_area_levels(const struct plot *plot, size_t n, const double *false_alarms,
                       const double *levels);

#endif
