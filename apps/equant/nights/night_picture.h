/* The picture of nights: when it is dark, when the star can be observed, and the moon. */
#ifndef EQUANT_APP_NIGHTS_NIGHT_PICTURE_H
#define EQUANT_APP_NIGHTS_NIGHT_PICTURE_H

#include "nights/night_question.h"
#include "pictures/picture.h"

/* Draws FOLDER/nights.FORMAT, a panel for each site. Returns an exit code, with a sentence on
 * failure. */
int night_picture_draw(const struct found_nights *found, const char *folder,
                       enum picture_format format);

#endif
