/* Many sources through screening and scan, some thousands at a time: on a GPU those are scanned
 * while processors screen the next. */
#ifndef EQUANT_ASTROMETRY_CATALOGUE_SKY_CROWD_H
#define EQUANT_ASTROMETRY_CATALOGUE_SKY_CROWD_H

#include "astrometry/catalogue/sky_screen.h"

typedef struct sky_crowd {
    sky_scan_state *scan;
    sky_limits limits;
    bool has_colour;
    int n_threads;
} sky_crowd;

/* Told of each source, in their order, from one thread: its screen, which is the crowd's, and its
 * best node; NULL where it could not be scanned. */
typedef void (*sky_crowd_taker)(void *context, size_t number, sky_screen *screen,
                                const sky_scan_node *best);

equant_status sky_crowd_run(const sky_crowd *crowd, size_t n_sources,
                            const equant_astrometry *const *sources, sky_crowd_taker take,
                            void *context);

#endif
