/* What astrometry and velocities of one source tell together: an orbit from both, from either, or
 * from none. */
#ifndef EQUANT_ASTROMETRY_CATALOGUE_SKY_JOINT_H
#define EQUANT_ASTROMETRY_CATALOGUE_SKY_JOINT_H

#include <stdbool.h>

#include "astrometry/solution/sky_step.h"
#include "equant.h"

typedef struct sky_joint_settings {
    double false_alarm_max;
    bool has_colour, fits_all;
    sky_limits limits;                                         /* of orbits on the sky */
    double velocity_period_min_days, velocity_period_max_days; /* 0: the usual of velocities */
    double velocity_eccentricity_max;
} sky_joint_settings;

/* A row with nothing but the mass of its star. */
void sky_joint_start(const equant_sky_star *star, equant_sky_joint_row *joint);

/* The orbit that a fit of the sky alone was judged to be; nothing for another verdict. */
equant_status sky_joint_take_sky(const equant_sky_fit *fit, equant_sky_joint_row *joint);

/* Adds the velocities of a star to its row: `source` may be NULL, `row` is what the sky alone says.
 */
equant_status sky_joint_add(const sky_joint_settings *settings, const equant_astrometry *source,
                            const equant_sky_star *star, const equant_sky_catalogue_row *row,
                            equant_sky_joint_row *joint);

#endif
