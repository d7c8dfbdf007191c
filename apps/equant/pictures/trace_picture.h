/* How the populations moved: medians and intervals of their walkers, step by step. */
#ifndef EQUANT_APP_PICTURES_TRACE_PICTURE_H
#define EQUANT_APP_PICTURES_TRACE_PICTURE_H

#include "pictures/picture.h"
#include "stars/posterior_columns.h"

/* Draws FOLDER/trace.FORMAT; without gnuplot there is a warning and no picture. Returns an exit
 * code, with a sentence on failure. */
int trace_picture_draw(const struct posterior_columns *columns, const char *folder,
                       enum picture_format format);

#endif
