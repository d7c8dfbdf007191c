/* The pictures of a comparison: the FIP periodogram with the periods of its signals, how probable
 * each number of planets is, and which periods a signal may have. */
#ifndef EQUANT_APP_PICTURES_COMPARE_PICTURE_H
#define EQUANT_APP_PICTURES_COMPARE_PICTURE_H

#include "equant.h"
#include "pictures/picture.h"

/* Draws FOLDER/fip.FORMAT, FOLDER/n_planets.FORMAT and FOLDER/aliases.FORMAT. Returns an exit code,
 * with a sentence on failure. */
int compare_picture_draw(const equant_comparison *comparison, const char *folder,
                         enum picture_format format);

#endif
