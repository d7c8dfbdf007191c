/* `equant fit` on files of which one is of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_RUN_H
#define EQUANT_APP_SKY_SKY_RUN_H

#include "options/sky_request.h"
#include "sky/sky_folder.h"

/* What becomes of the fit. */
struct sky_output {
    bool as_json;
    const char *folder; /* NULL: none */
    bool is_forced;     /* no lock keeps a second program out of it */
    struct fit_folder_options how;
    const struct text_list *lists; /* tables of what is known of sources */
};

/* Files that are not of astrometry are velocities of the same star. Returns an exit code, with a
 * sentence on failure. */
int sky_run(const char *command, const struct sky_request *sky, const struct fit_request *fit,
            const struct file_list *files, const struct sky_output *output);

#endif
