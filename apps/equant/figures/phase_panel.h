/* A panel of a figure: one planet's share of the velocities, folded at its period. */
#ifndef EQUANT_APP_FIGURES_PHASE_PANEL_H
#define EQUANT_APP_FIGURES_PHASE_PANEL_H

#include "drawing/plot.h"
#include "stars/star_result.h"

/* Where it is drawn, and what is written beside it. */
struct phase_panel {
    FILE *page;
    double left, top, width, height;   /* of the frame                     */
    bool has_phase, has_velocity;      /* names of the axes                */
    double label_distance;             /* of the name at the left          */
    double scale;                      /* of points                        */
    const equant_posterior *posterior; /* whose curves are shaded; NULL: none */
    size_t run_planet;                 /* the planet there, from 1; 0: none   */
};

/* Draws planet `index`. Returns an exit code, with a sentence on failure. */
int phase_panel_draw(const struct phase_panel *panel, const struct star_result *star, size_t index);

#endif
