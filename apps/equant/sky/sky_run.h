/* `equant fit` on files of which one is of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_RUN_H
#define EQUANT_APP_SKY_SKY_RUN_H

#include "sky/sky_request.h"

/* Files that are not of astrometry are velocities of the same star. `out`, a folder for fit.json,
 * may be NULL. Returns an exit code, with a sentence on failure. */
int sky_run(const char *command, const struct sky_request *sky, const struct fit_request *fit,
            const struct file_list *files, bool as_json, const char *out);

#endif
