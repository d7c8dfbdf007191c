/* The figure of a posterior by pairs of parameters. */
#ifndef EQUANT_APP_FIGURES_FIGURE_CORNER_H
#define EQUANT_APP_FIGURES_FIGURE_CORNER_H

#include <stdio.h>

#include "equant.h"
#include "posteriors/posterior_columns.h"

/* How large the figure of these columns is. */
struct figure_corner_size {
    double width, height;
};
struct figure_corner_size figure_corner_measure(const struct posterior_columns *columns);

/* Draws it: histograms with median and 68 % on the diagonal, below them what holds 68 % and 95 % of
 * the draws. Returns an exit code, with a sentence on failure. */
int figure_corner_draw(FILE *page, const struct posterior_columns *columns);

/* For a page: one figure of all planets where they are one or two, else one of each; without
 * planets one of everything else. Returns an exit code, with a sentence on failure. */
int figure_corner_write(FILE *page, const struct posterior_view *posterior);

#endif
