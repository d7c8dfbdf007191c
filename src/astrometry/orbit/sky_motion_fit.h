/* Proper motions of a catalogue beside the orbit of positions and velocities. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_MOTION_FIT_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_MOTION_FIT_H

#include "astrometry/orbit/sky_ladder.h"

/* Motions of a catalogue refine the orbit that positions and velocities have found; nothing where
 * the settings have none. */
equant_status sky_motion_fit_add(const equant_astrometry *source, sky_ladder *ladder,
                                 const sky_ladder_settings *settings);

#endif
