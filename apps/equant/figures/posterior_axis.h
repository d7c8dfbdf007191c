/* A quantity of a posterior along an axis: its numbers and its name, in one line or two. */
#ifndef EQUANT_APP_FIGURES_POSTERIOR_AXIS_H
#define EQUANT_APP_FIGURES_POSTERIOR_AXIS_H

#include "drawing/plot.h"
#include "drawing/short_axis.h"
#include "posteriors/posterior_columns.h"

struct posterior_axis {
    struct short_axis axis;
    char sign[64];               /* "K₁": for titles                                         */
    char first[128], second[96]; /* lines of the name; the second is an instrument, a unit,
                                    or what is taken from all numbers */
};

/* For panels of that width, or of that height where it is drawn upwards. */
struct posterior_axis posterior_axis_of(const struct posterior_column *column, double extent);

/* The name below a frame, or at its left; `distance` is that of the line next to it. */
void posterior_axis_below(const struct posterior_axis *axis, const struct plot *plot,
                          double distance);
void posterior_axis_left(const struct posterior_axis *axis, const struct plot *plot,
                         double distance);

#endif
