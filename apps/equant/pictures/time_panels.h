/* Two panels of a picture that share the axis of time: the velocities with the model, and
 * below them the residuals. */
#ifndef EQUANT_APP_PICTURES_TIME_PANELS_H
#define EQUANT_APP_PICTURES_TIME_PANELS_H

#include "pictures/picture.h"
#include "stars/star_result.h"

/* Writes both into the script of a multiplot; the key is drawn with its top at key_top (a
 * fraction of the picture). Returns an exit code, with a sentence on failure. */
int time_panels_write(FILE *script, const struct star_result *star, struct picture_frame velocities,
                      struct picture_frame residuals, double key_top);

#endif
