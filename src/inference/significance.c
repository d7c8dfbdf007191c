#include "inference/significance.h"

#include <math.h>
#include <stdlib.h>

#include "core/status.h"
#include "inference/noise.h"

/* Layers reach the less far in frequency the more eccentric they are: between the ends of two
 * of them, the lower eccentricity is the largest that was tried. */
static void make_bands(const scan_grid *grid, significance *made)
{
    for (size_t i = 0; i < grid->n_layers; i++) {
        size_t next = i + 1 < grid->n_layers ? grid->layers[i + 1].n_bins : 0;
        size_t bins = grid->layers[i].n_bins - next;
        if (bins > 0)
            made->bands[made->n_bands++] =
                (false_alarm_band){.width_per_day = (double)bins * grid->bin_width_per_day,
                                   .eccentricity_max = grid->layers[i].eccentricity};
    }
}

equant_status significance_create(const star_study *star, const scan_grid *grid,
                                  const solution *weighted_by, significance *made)
{
    *made = (significance){.n_obs = star->n_obs};
    make_bands(grid, made);
    double *weight = malloc(star->n_obs * sizeof *weight);
    if (!weight)
        return status_out_of_memory();
    star_columns columns = star_columns_of(star, weighted_by->n_planets, weighted_by->trend_order);
    noise_root_weights(star, weighted_by->set + columns.jitters, weight);
    for (size_t k = 0; k < star->n_obs; k++)
        weight[k] *= weight[k];
    made->effective_span_days =
        false_alarm_effective_span(star->n_obs, equant_dataset_times_days(star->dataset), weight);
    free(weight);
    return EQUANT_SUCCESS;
}

false_alarm_search significance_search(const significance *of, size_t n_base)
{
    return (false_alarm_search){.effective_span_days = of->effective_span_days,
                                .n_bands = of->n_bands,
                                .bands = of->bands,
                                .n_obs = of->n_obs,
                                .n_base = n_base};
}

/* Eccentricities up to which a search goes, and its share of the risk. */
static const struct {
    double eccentricity_max, share;
} nested_searches[] = {{0.3, 0.6}, {0.6, 0.3}, {1.0, 0.1}};

double significance_of_planet(const star_study *star, const significance *of, const solution *with,
                              double eccentricity, double gain)
{
    size_t n_base = star->n_instruments + (size_t)with->trend_order + 5 * (with->n_planets - 1);
    double least = 1.0;
    for (size_t i = 0; i < sizeof nested_searches / sizeof *nested_searches; i++) {
        double most = nested_searches[i].eccentricity_max;
        if (eccentricity > most)
            continue;
        significance narrow = *of;
        for (size_t b = 0; b < narrow.n_bands; b++)
            narrow.bands[b].eccentricity_max = fmin(narrow.bands[b].eccentricity_max, most);
        false_alarm_search search = significance_search(&narrow, n_base);
        least = fmin(least, false_alarm_probability(&search, gain) / nested_searches[i].share);
    }
    return least;
}
