/* The picture of a search: power over period, with false-alarm levels and the periods of peaks,
 * and the window function of the times. */
#ifndef EQUANT_APP_PICTURES_SEARCH_PICTURE_H
#define EQUANT_APP_PICTURES_SEARCH_PICTURE_H

#include "equant.h"
#include "pictures/picture.h"

struct search_picture {
    const equant_periodogram *periodogram;
    size_t n_known; /* planets beside which was searched */
    bool is_circular;
};

/* Draws FOLDER/periodogram.FORMAT. Returns an exit code, with a sentence on failure. */
int search_picture_draw(const struct search_picture *search, const char *folder,
                        enum picture_format format);

#endif
