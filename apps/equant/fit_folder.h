/* Everything that a fit leaves behind in a folder. */
#ifndef EQUANT_APP_FIT_FOLDER_H
#define EQUANT_APP_FIT_FOLDER_H

#include <stdbool.h>

#include "picture.h"
#include "star_fit.h"

/* Written last, so that a folder with this file in it is complete. */
#define FIT_FOLDER_MARK "fit.json"

struct fit_folder_options {
    bool has_pictures;
    enum picture_format format;
};

/* Makes the folder and writes tables, pictures and fit.json. Returns an exit code, with a
 * sentence on failure. */
int fit_folder_write(const struct star_fit *star, const char *folder,
                     const struct fit_folder_options *options);

#endif
