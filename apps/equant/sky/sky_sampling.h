/* `equant sample` on files of which one is of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_SAMPLING_H
#define EQUANT_APP_SKY_SKY_SAMPLING_H

#include "options/sample_request.h"

/* Returns an exit code, with a sentence on failure. */
int sky_sample_run(const char *command, const struct sample_request *request,
                   const struct file_list *files);

#endif
