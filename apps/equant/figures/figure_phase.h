/* The figure of one planet: velocities folded at its period, with its curve. */
#ifndef EQUANT_APP_FIGURES_FIGURE_PHASE_H
#define EQUANT_APP_FIGURES_FIGURE_PHASE_H

#include <stdio.h>

#include "stars/star_result.h"

/* With a posterior (NULL: none) that has the planet as its `run_planet`, from 1 (0: it has not),
 * also where its draws put the curve. Returns an exit code, with a sentence on failure. */
int figure_phase_write(FILE *page, const struct star_result *star, size_t index,
                       const equant_posterior *posterior, size_t run_planet);

#endif
