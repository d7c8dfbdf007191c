/* The figures of a fit of astrometry, each once: as pictures in a folder, and on the page. */
#ifndef EQUANT_APP_SKY_SKY_FIGURES_H
#define EQUANT_APP_SKY_SKY_FIGURES_H

#include "drawing/key.h"
#include "pictures/picture.h"
#include "sky/sky_star.h"

enum sky_figure {
    SKY_FIGURE_ORBIT,
    SKY_FIGURE_PATH,
    SKY_FIGURE_RESIDUALS,
    SKY_FIGURE_VELOCITIES,
    SKY_FIGURE_PERIODOGRAM,
    SKY_N_FIGURES
};

/* Whether a source has it: of orbits as many as companions, of others one or none. */
size_t sky_figures_count(const struct sky_star *star, enum sky_figure figure);

/* Draws FOLDER/orbit.FORMAT, orbit_2 ..., path, residuals, velocities and periodogram, what there
 * is of them. Returns an exit code, with a sentence on failure. */
int sky_figures_draw(const struct sky_star *star, const char *folder, enum picture_format format);

/* The periodogram alone. */
int sky_figures_draw_periodogram(const struct sky_star *star, const char *folder,
                                 enum picture_format format);

/* One of them as a figure of a page; `number` counts from 0. */
int sky_figures_write(FILE *page, const struct sky_star *star, enum sky_figure figure,
                      size_t number);

#endif
