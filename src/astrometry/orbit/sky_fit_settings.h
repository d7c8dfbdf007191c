/* What a caller asks of a fit of astrometry, as a ladder takes it. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_FIT_SETTINGS_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_FIT_SETTINGS_H

#include "astrometry/orbit/sky_ladder.h"

/* options may be NULL. Fails on numbers that mean nothing. */
equant_status sky_fit_settings(const equant_sky_fit_options *options, sky_ladder_settings *made);

#endif
