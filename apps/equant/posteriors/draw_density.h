/* The density of draws over one or two quantities, smoothed for the eye. */
#ifndef EQUANT_APP_POSTERIORS_DRAW_DENSITY_H
#define EQUANT_APP_POSTERIORS_DRAW_DENSITY_H

#include "posteriors/posterior_columns.h"

enum { DRAW_DENSITY_BINS = 36 };

/* Of n draws, in bins from column->low to column->high; the highest is 1. */
void draw_density_single(size_t n, const struct posterior_column *column,
                         double heights[DRAW_DENSITY_BINS]);

/* The same of two, by rows of `up`. */
struct draw_density {
    double heights[DRAW_DENSITY_BINS][DRAW_DENSITY_BINS];
};
void draw_density_pair(size_t n, const struct posterior_column *across,
                       const struct posterior_column *up, struct draw_density *density);

/* The height that a share of the draws lies above. */
double draw_density_level(const struct draw_density *density, double share);

#endif
