/* A scan for one orbit behind five parameters, without more. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_LADDER_SCAN_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_LADDER_SCAN_H

#include "astrometry/orbit/sky_ladder.h"

typedef struct sky_ladder_peak {
    sky_solution solution;
    double gain, false_alarm;
} sky_ladder_peak;

typedef struct sky_ladder_scan {
    size_t n_bins, n_peaks;
    sky_scan_node *bins;
    sky_ladder_peak *peaks; /* the best first */
} sky_ladder_scan;

equant_status sky_ladder_scan_source(const equant_astrometry *source,
                                     const equant_dataset *velocities,
                                     const sky_ladder_settings *settings, size_t most_peaks,
                                     sky_ladder_scan *scan);
void sky_ladder_scan_free(sky_ladder_scan *scan);

#endif
