/* A panel of a picture with one planet: the velocities less everything else, folded at its
 * period, with its curve and their means. */
#ifndef EQUANT_APP_PICTURES_PHASE_PANEL_H
#define EQUANT_APP_PICTURES_PHASE_PANEL_H

#include <stdbool.h>

#include "pictures/picture.h"
#include "stars/star_result.h"

/* Which labels the panel has: those that its neighbours do not have for it. */
struct phase_panel_labels {
    bool has_phase, has_velocity;
};

/* Writes planet `index` into the script of a multiplot. Returns an exit code, with a
 * sentence on failure. */
int phase_panel_write(FILE *script, const struct star_result *star, size_t index,
                      struct picture_frame frame, struct phase_panel_labels labels);

#endif
