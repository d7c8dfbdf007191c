/* The figure of how sure a fit is: the number of planets, and which periods its signals have. */
#ifndef EQUANT_APP_FIGURES_FIGURE_PROBABILITIES_H
#define EQUANT_APP_FIGURES_FIGURE_PROBABILITIES_H

#include <stdio.h>

#include "stars/star_result.h"

/* Whether there is anything to be shown. */
bool figure_probabilities_is_there(const struct star_result *star);
void figure_probabilities_write(FILE *page, const struct star_result *star);

#endif
