/* Places on the Earth: those that are known by name, and others by their coordinates. */
#ifndef EQUANT_OBSERVING_SITE_H
#define EQUANT_OBSERVING_SITE_H

#include "equant.h"

/* Whether a caller's site is one: EQUANT_SUCCESS, or a sentence. */
equant_status site_check(const equant_site *site);

/* Its name, or "LONGITUDE,LATITUDE" in `buffer`. */
const char *site_name(const equant_site *site, char *buffer, size_t n_buffer);

#endif
