/* The sky over a place around an instant, by ERFA: what changes little in a day is computed once,
 * sun and moon at a few hours, and anything in between takes microseconds. */
#ifndef EQUANT_OBSERVING_SKY_DAY_H
#define EQUANT_OBSERVING_SKY_DAY_H

#include "equant.h"

typedef struct sky_day sky_day;

/* Half of what a day covers, from its middle. */
#define SKY_DAY_REACH 0.55

/* `site` and `star` are copied and have been checked. A middle outside 1972 to 2100 is
 * EQUANT_ERROR_INVALID_ARGUMENT; without ERFA, EQUANT_ERROR_UNAVAILABLE. */
equant_status sky_day_create(const equant_site *site, const equant_star_position *star,
                             double middle_jd_utc, sky_day **day);
void sky_day_free(sky_day *day);

/* `jd_utc` within SKY_DAY_REACH of the middle; all members but struct_size are filled. */
void sky_day_at(const sky_day *day, double jd_utc, equant_sky_conditions *conditions);

/* Pickering (2002), The Southern Limits of the Ancient Star Catalog, DIO 12, 3. */
double sky_airmass(double altitude_deg);

#endif
