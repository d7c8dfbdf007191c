/* The figure of residuals in units of their uncertainties, beside what noise would do. */
#ifndef EQUANT_APP_FIGURES_FIGURE_RESIDUALS_H
#define EQUANT_APP_FIGURES_FIGURE_RESIDUALS_H

#include <stdio.h>

#include "stars/star_result.h"

void figure_residuals_write(FILE *page, const struct star_result *star);

#endif
