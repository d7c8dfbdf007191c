/* What a fit of astrometry leaves behind in a folder: fit.json, tables, pictures; and a fit read
 * back from there. */
#ifndef EQUANT_APP_SKY_SKY_FOLDER_H
#define EQUANT_APP_SKY_SKY_FOLDER_H

#include "results/fit_folder.h"
#include "sky/sky_result.h"
#include "sky/sky_star.h"

/* Makes the folder and writes everything, fit.json last. Returns an exit code, with a sentence on
 * failure. */
int sky_folder_write(const struct sky_result *result, const equant_sky_fit_options *options,
                     const char *folder, const struct fit_folder_options *how);

/* Whether the fit of a folder is of astrometry; false also where there is none. */
bool sky_folder_is_there(const char *folder);

/* Returns an exit code, with a sentence on failure; free the star in any case. */
int sky_folder_read(const char *folder, struct sky_star *star);

#endif
