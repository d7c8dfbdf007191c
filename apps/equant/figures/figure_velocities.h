/* The figure of velocities over time with the model, and of what it leaves. */
#ifndef EQUANT_APP_FIGURES_FIGURE_VELOCITIES_H
#define EQUANT_APP_FIGURES_FIGURE_VELOCITIES_H

#include <stdio.h>

#include "stars/star_result.h"

/* Key and figure, drawn for wide and for narrow pages. Returns an exit code, with a sentence on
 * failure. */
int figure_velocities_write(FILE *page, const struct star_result *star);

#endif
