/* The picture of a periodogram: power against period, with its peaks and false-alarm
 * levels, above the window function. */
#ifndef EQUANT_APP_PICTURES_SEARCH_PICTURE_H
#define EQUANT_APP_PICTURES_SEARCH_PICTURE_H

#include "equant.h"
#include "pictures/picture.h"

/* Draws FOLDER/periodogram.FORMAT. Returns an exit code, with a sentence on failure; a
 * missing gnuplot is none (gnuplot.h). */
int search_picture_draw(const equant_periodogram *periodogram, const char *folder,
                        enum picture_format format);

#endif
