#include "inference/compare/slot_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/whole_number.h"
#include "core/period_range.h"
#include "core/status_fail.h"

/* Of the resolution of the data, 1 over their span. */
#define BIN 0.2
#define MOST_BINS 2e7

equant_status slot_grid_check(const count_priors *priors, double span_days)
{
    double turns = MOST_BINS * BIN + priors->frequency_min * span_days;
    return period_range_check_turns(1.0 / priors->frequency_max, span_days, turns);
}

equant_status slot_grid_create(const count_star *star, const count_priors *priors, slot_grid *made)
{
    double range = priors->frequency_max - priors->frequency_min;
    double n = ceil(range * star->span_days / BIN);
    equant_status status = slot_grid_check(priors, star->span_days);
    if (status != EQUANT_SUCCESS)
        return status;
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
    memset(grid, 0, sizeof *grid);
}

size_t slot_grid_bin(const slot_grid *grid, double frequency)
{
    return whole_number_up_to((frequency - grid->first) / grid->step, grid->n_bins - 1);
}

double slot_grid_middle(const slot_grid *grid, size_t bin)
{
    return grid->first + ((double)bin + 0.5) * grid->step;
}
