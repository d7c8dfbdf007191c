#include "inference/search/scan_grid.h"

#include <math.h>

#include "core/numbers/whole_number.h"
#include "inference/likelihood/study.h"
#include "model/circle.h"

/* Share of the width of a pericentre passage between nodes: the finer for nearly circular
 * orbits, where a phase error costs most. It keeps 97 % of chi-square, 95 % at worst. */
#define SPACING_FINE 0.5
#define SPACING 1.0
#define FINE_TO_ECCENTRICITY 0.15

static const double eccentricities[] = {0.0, 0.1, 0.2,  0.3, 0.4,  0.5, 0.6,
                                        0.7, 0.8, 0.85, 0.9, 0.93, 0.95};

double scan_grid_pericentre_speed(double e)
{
    return sqrt(1.0 + e) / pow(1.0 - e, 1.5);
}

double scan_grid_frequency(const scan_grid *grid, size_t bin)
{
    return grid->first_frequency_per_day + (double)bin * grid->bin_width_per_day;
}

/* Bins below the frequency where an orbit of eccentricity e would touch the star. */
static size_t bins_for(const scan_grid *grid, double e)
{
    double highest = 1.0 / study_shortest_period(e);
    double bins = (highest - grid->first_frequency_per_day) / grid->bin_width_per_day + 1.0;
    if (e == 0.0 || bins >= (double)grid->n_bins)
        return grid->n_bins;
    return whole_number_up_to(bins, grid->n_bins);
}

scan_grid scan_grid_make(double span_days, double period_min_days, double period_max_days,
                         double eccentricity_max)
{
    scan_grid grid = {.first_frequency_per_day = 1.0 / period_max_days,
                      .bin_width_per_day = SPACING_FINE / (PI * span_days)};
    double range = 1.0 / period_min_days - 1.0 / period_max_days;
    grid.n_bins = (size_t)ceil(range / grid.bin_width_per_day) + 1;
    for (size_t i = 0; i < sizeof eccentricities / sizeof *eccentricities; i++) {
        double e = eccentricities[i], speed = scan_grid_pericentre_speed(e);
        double spacing = e < FINE_TO_ECCENTRICITY ? SPACING_FINE : SPACING;
        size_t groups = (size_t)ceil(2.0 * PI * speed / spacing / BACKEND_SCAN_PHASES);
        backend_scan_layer layer = {
            .eccentricity = e,
            .n_bins = bins_for(&grid, e),
            .n_frequencies = (size_t)ceil(SPACING_FINE * speed / spacing),
            .n_phases = groups * BACKEND_SCAN_PHASES,
        };
        if (e <= eccentricity_max + 1e-9 && layer.n_bins > 0)
            grid.layers[grid.n_layers++] = layer;
    }
    return grid;
}

double scan_grid_n_nodes(const scan_grid *grid)
{
    double n = 0.0;
    for (size_t i = 0; i < grid->n_layers; i++) {
        const backend_scan_layer *layer = &grid->layers[i];
        double phases = layer->eccentricity == 0.0 ? 1.0 : (double)layer->n_phases;
        n += (double)layer->n_bins * (double)layer->n_frequencies * phases;
    }
    return n;
}
