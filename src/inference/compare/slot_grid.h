/* The frequencies at which one planet may be: bins that fill the range of periods, narrow enough
 * that all orbits of a bin explain the data about as well, with their share of the prior. */
#ifndef EQUANT_INFERENCE_COMPARE_SLOT_GRID_H
#define EQUANT_INFERENCE_COMPARE_SLOT_GRID_H

#include "inference/compare/count_priors.h"
#include "inference/compare/count_star.h"

typedef struct slot_grid {
    const count_star *star;
    size_t n_bins;
    double first, step; /* per day: bin b reaches from first + b step to first + (b + 1) step */
    double *share;      /* [n_bins] of the prior */
} slot_grid;

/* Whether the data are short enough for these periods. */
equant_status slot_grid_check(const count_priors *priors, double span_days);

equant_status slot_grid_create(const count_star *star, const count_priors *priors, slot_grid *made);
void slot_grid_free(slot_grid *grid);

size_t slot_grid_bin(const slot_grid *grid, double frequency);
double slot_grid_middle(const slot_grid *grid, size_t bin);

#endif
