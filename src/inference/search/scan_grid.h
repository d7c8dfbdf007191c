/* The grid of a Keplerian scan: fine enough that no orbit between its nodes loses more than a
 * few per cent of its chi-square. */
#ifndef EQUANT_INFERENCE_SEARCH_SCAN_GRID_H
#define EQUANT_INFERENCE_SEARCH_SCAN_GRID_H

#include "core/scan.h"

enum { SCAN_GRID_MAX_LAYERS = 16 };

typedef struct scan_grid {
    double first_frequency_per_day, bin_width_per_day;
    size_t n_bins, n_layers;
    backend_scan_layer layers[SCAN_GRID_MAX_LAYERS];
} scan_grid;

/* Periods in days; eccentricities up to eccentricity_max, and no further than an orbit of
 * that period can have without falling into its star. */
scan_grid scan_grid_make(double span_days, double period_min_days, double period_max_days,
                         double eccentricity_max);

/* How much faster the true anomaly runs at pericentre than the mean anomaly. */
double scan_grid_pericentre_speed(double eccentricity);

double scan_grid_frequency(const scan_grid *grid, size_t bin);
/* Orbits in the grid. */
double scan_grid_n_nodes(const scan_grid *grid);

#endif
