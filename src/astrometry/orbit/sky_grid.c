#include "astrometry/orbit/sky_grid.h"

#include <math.h>

#include "core/period_range.h"

/* Turns of the shortest period over the data: six bins with up to sixty orbits each. */
#define MOST_TURNS 1e6

/* Eccentricities of the layers. */
static const double eccentricities[] = {0.0, 0.2, 0.4, 0.6, 0.8, 0.9};
enum { N_LAYERS = sizeof eccentricities / sizeof eccentricities[0], N_PHASES = 12 };

/* Short orbits are round, and noise likes sharp ones best: up to which eccentricity orbits are
 * looked for, by period in days. */
static const struct {
    double from_days, eccentricity_max;
} steps[] = {{0.0, 0.5}, {5.0, 0.75}, {30.0, 1.0}};
enum { N_STEPS = sizeof steps / sizeof steps[0] };

static double largest_eccentricity(const sky_limits *limits, double period_days)
{
    double largest = 0.0;
    for (int i = 0; i < N_STEPS; i++)
        if (period_days >= steps[i].from_days)
            largest = steps[i].eccentricity_max;
    return fmin(largest, limits->eccentricity_max);
}

sky_limits sky_grid_limits(const sky_grid *grid, double period_days)
{
    sky_limits limits = grid->limits;
    limits.eccentricity_max_before = grid->limits.eccentricity_max;
    limits.eccentricity_max = largest_eccentricity(&grid->limits, period_days);
    return limits;
}

static void make_bands(sky_grid *grid)
{
    for (int i = 0; i < N_STEPS; i++) {
        double low = fmax(steps[i].from_days, grid->limits.period_min_days);
        double high = i + 1 < N_STEPS ? steps[i + 1].from_days : INFINITY;
        high = fmin(high, grid->limits.period_max_days);
        if (low < high)
            grid->bands[grid->n_bands++] =
                (sky_band){1.0 / low - 1.0 / high, largest_eccentricity(&grid->limits, low)};
    }
}

/* How many of the lowest bins have orbits of this eccentricity. */
static size_t bins_of(const sky_grid *grid, double eccentricity)
{
    size_t n = 0;
    while (n < grid->n_bins) {
        double frequency = grid->first_frequency_per_day + (double)n * grid->step_per_day;
        if (eccentricity > largest_eccentricity(&grid->limits, 1.0 / frequency))
            break;
        n++;
    }
    return n;
}

equant_status sky_grid_check(double span_days, const sky_limits *limits)
{
    return period_range_check_turns(limits->period_min_days, span_days, MOST_TURNS);
}

sky_grid sky_grid_make(double span_days, const sky_limits *limits)
{
    sky_grid grid = {.first_frequency_per_day = 1.0 / limits->period_max_days,
                     .step_per_day = 1.0 / (SKY_ORBIT_TWO_PI * span_days),
                     .limits = *limits};
    double width = 1.0 / limits->period_min_days - grid.first_frequency_per_day;
    grid.n_bins = 1 + (size_t)ceil(width / grid.step_per_day);
    for (int i = 0; i < N_LAYERS; i++) {
        double e = eccentricities[i];
        size_t n_bins = bins_of(&grid, e);
        if (n_bins > 0)
            grid.layers[grid.n_layers++] = (sky_scan_layer){.eccentricity = e,
                                                            .n_bins = n_bins,
                                                            .n_frequencies = 1,
                                                            .n_phases = e > 0.0 ? N_PHASES : 1};
    }
    make_bands(&grid);
    return grid;
}
