/* What equant data says of files of astrometry. */
#ifndef EQUANT_APP_RESULTS_SKY_LISTING_H
#define EQUANT_APP_RESULTS_SKY_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* Prints all sources of some files, as text or as one JSON object. Returns an exit code, with a
 * sentence on failure. */
int sky_listing_print(const char *const *paths, size_t n_paths, bool as_json);

#endif
