/* The pictures of a run: the posterior by pairs of parameters, and how the populations moved. */
#ifndef EQUANT_APP_PICTURES_POSTERIOR_PICTURES_H
#define EQUANT_APP_PICTURES_POSTERIOR_PICTURES_H

#include "pictures/picture.h"
#include "posteriors/posterior_columns.h"

/* Draw FOLDER/corner.FORMAT and FOLDER/trace.FORMAT, nothing where there are no columns. Each
 * returns an exit code, with a sentence on failure. */
int posterior_pictures_corner(const struct posterior_columns *columns, const char *folder,
                              enum picture_format format);
int posterior_pictures_trace(const struct posterior_columns *columns, const char *folder,
                             enum picture_format format);

#endif
