#include "inference/count/slot_grid.h"

#include <math.h>
#include <stdlib.h>

#include "core/status.h"

/* Of the resolution of the data, 1 over their span. */
#define BIN 0.2
#define MOST_BINS 2e7

equant_status slot_grid_create(const count_star *star, const count_priors *priors, slot_grid *made)
{
    double range = priors->frequency_max - priors->frequency_min;
    double n = ceil(range * star->span_days / BIN);
    if (!(n < MOST_BINS))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a period of %g days repeats too often in %g days of data",
                           1.0 / priors->frequency_max, star->span_days);
    *made =
        (slot_grid){.star = star, .n_bins = (size_t)fmax(1.0, n), .first = priors->frequency_min};
    made->step = range / (double)made->n_bins;
    made->share = malloc(made->n_bins * sizeof *made->share);
    if (!made->share)
        return status_out_of_memory();
    for (size_t b = 0; b < made->n_bins; b++) {
        double low = made->first + (double)b * made->step;
        made->share[b] = count_priors_between(priors, low, low + made->step);
    }
    return EQUANT_SUCCESS;
}

void slot_grid_free(slot_grid *grid)
{
    free(grid->share);
}

size_t slot_grid_bin(const slot_grid *grid, double frequency)
{
    double place = floor((frequency - grid->first) / grid->step);
    size_t bin = place > 0.0 ? (size_t)place : 0;
    return bin < grid->n_bins ? bin : grid->n_bins - 1;
}

double slot_grid_middle(const slot_grid *grid, size_t bin)
{
    return grid->first + ((double)bin + 0.5) * grid->step;
}
