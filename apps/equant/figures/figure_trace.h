/* The figure of how the populations of a sampler moved: medians and intervals of their walkers,
 * step by step. */
#ifndef EQUANT_APP_FIGURES_FIGURE_TRACE_H
#define EQUANT_APP_FIGURES_FIGURE_TRACE_H

#include <stdio.h>

#include "drawing/key.h"
#include "posteriors/posterior_columns.h"

/* How high the panels are, with the axis below them. */
double figure_trace_height(const struct posterior_columns *columns);

/* Draws a panel for each column, from `top` on. Returns an exit code, with a sentence on failure.
 */
int figure_trace_draw(FILE *page, const struct posterior_columns *columns, double top,
                      double width);

/* What the colours are. */
void figure_trace_key(struct key *key, const struct posterior_columns *columns);

#endif
