/* Dates as tables of astrometry have them. */
#ifndef EQUANT_ASTROMETRY_SKY_DATE_H
#define EQUANT_ASTROMETRY_SKY_DATE_H

#include <stdbool.h>

typedef enum sky_date {
    SKY_DATE_JD,
    SKY_DATE_MJD,  /* JD - 2400000.5 */
    SKY_DATE_RJD,  /* JD - 2400000 */
    SKY_DATE_YEAR, /* Julian years */
    SKY_DATE_DAYS  /* days since the reference time */
} sky_date;

/* What a number stands for, by its size. */
sky_date sky_date_guess(double number);

/* Days since a reference time, without losing digits on the way. */
double sky_date_days(sky_date date, double number, double reference_jd);

/* Whether a time, in days since J2017.5, is within a thousand years of it: what is not was counted
 * in another unit, such as nanoseconds. */
bool sky_date_is_near(double time_days);

/* For people: "MJD". */
const char *sky_date_name(sky_date date);

#endif
