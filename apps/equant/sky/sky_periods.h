/* `equant search` on files of which one is of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_PERIODS_H
#define EQUANT_APP_SKY_SKY_PERIODS_H

#include "options/picture_options.h"
#include "options/search_range.h"
#include "options/sky_request.h"

struct sky_search_request {
    const struct sky_request *sky;
    const struct search_range *range;
    const struct data_source *source; /* of velocities */
    size_t n_peaks;
    bool as_json;
    const char *out; /* a folder for periodogram.ecsv, peaks.ecsv and a picture; NULL: none */
    const struct picture_options *pictures;
};

/* Returns an exit code, with a sentence on failure. */
int sky_search_run(const char *command, const struct sky_search_request *request,
                   const struct file_list *files);

#endif
