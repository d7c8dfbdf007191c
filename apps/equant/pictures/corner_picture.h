/* The posterior by pairs of parameters: histograms on the diagonal, densities below it. */
#ifndef EQUANT_APP_PICTURES_CORNER_PICTURE_H
#define EQUANT_APP_PICTURES_CORNER_PICTURE_H

#include "pictures/picture.h"
#include "stars/posterior_columns.h"

/* Draws FOLDER/corner.FORMAT; without gnuplot there is a warning and no picture. Returns an exit
 * code, with a sentence on failure. */
int corner_picture_draw(const struct posterior_columns *columns, const char *folder,
                        enum picture_format format);

#endif
