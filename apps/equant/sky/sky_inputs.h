/* The files of a command of which one is of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_INPUTS_H
#define EQUANT_APP_SKY_SKY_INPUTS_H

#include "options/sky_request.h"

struct sky_inputs {
    const char *path; /* of the astrometry */
    equant_astrometry *source;
    equant_dataset *velocities; /* NULL: none */
};

/* Files that are not of astrometry are velocities of the same star. Returns an exit code, with a
 * sentence on failure; free them in any case. */
int sky_inputs_load(const char *command, const struct file_list *files,
                    const struct sky_request *sky, const struct data_source *velocities,
                    struct sky_inputs *inputs);
void sky_inputs_free(struct sky_inputs *inputs);

#endif
