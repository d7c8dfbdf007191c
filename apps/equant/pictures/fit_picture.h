/* The picture of a fit: velocities over time with the model, residuals below, and one
 * panel for each planet, folded at its period. */
#ifndef EQUANT_APP_PICTURES_FIT_PICTURE_H
#define EQUANT_APP_PICTURES_FIT_PICTURE_H

#include "pictures/picture.h"
#include "stars/star_result.h"

/* Draws FOLDER/fit.FORMAT. Returns an exit code, with a sentence on failure. */
int fit_picture_draw(const struct star_result *star, const char *folder,
                     enum picture_format format);

#endif
