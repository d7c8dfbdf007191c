/* The figure of a posterior by pairs of parameters. */
#ifndef EQUANT_APP_FIGURES_FIGURE_CORNER_H
#define EQUANT_APP_FIGURES_FIGURE_CORNER_H

#include <stdio.h>

#include "equant.h"

/* One figure of all planets where they are one or two, else one of each; without planets one of
 * everything else. Returns an exit code, with a sentence on failure. */
int figure_corner_write(FILE *page, const equant_posterior *posterior);

#endif
