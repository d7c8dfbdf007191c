/* Panels of a figure that share the axis of time: the velocities with the model, below them each
 * long planet alone where there are short ones too, the residuals and, where noise is correlated,
 * what it was and the residuals less it. */
#ifndef EQUANT_APP_FIGURES_VELOCITY_PANELS_H
#define EQUANT_APP_FIGURES_VELOCITY_PANELS_H

#include <stdio.h>

#include "stars/star_result.h"

/* What differs between a desk, a phone and paper. */
struct velocity_panels_layout {
    double width, left, right, velocities, residuals; /* in units of the figure             */
    double most_turns; /* planets that turn more often over the axis would melt into a band */
    double scale;      /* of points                                                         */
    int n_times, n_years, n_velocities; /* about so many numbers along the axes             */
};

/* How high both are, with the years above, if any, and the axis of time below. */
double velocity_panels_height(const struct star_result *star,
                              const struct velocity_panels_layout *layout);

/* Draws them, from `top` on. Returns an exit code, with a sentence on failure. */
int velocity_panels_draw(FILE *page, const struct star_result *star,
                         const struct velocity_panels_layout *layout, double top);

/* The shortest period of the line over time. */
double velocity_panels_shortest(const struct star_result *star,
                                const struct velocity_panels_layout *layout);

#endif
