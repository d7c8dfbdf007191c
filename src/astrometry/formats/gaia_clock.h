/* What the times of a table of Gaia's epoch astrometry count. Gaia's own tables have whole
 * nanoseconds since 2010.0; tables that went through other programs have Julian dates, Julian years
 * or seconds under the same heading. The size of the numbers tells which: within the years of the
 * mission these do not overlap. */
#ifndef EQUANT_ASTROMETRY_GAIA_CLOCK_H
#define EQUANT_ASTROMETRY_GAIA_CLOCK_H

#include <stdint.h>

typedef enum gaia_unit {
    GAIA_UNIT_UNKNOWN,
    GAIA_UNIT_NANOSECONDS, /* times: since 2010.0 */
    GAIA_UNIT_SECONDS,     /* times: since 2010.0 */
    GAIA_UNIT_JD,          /* corrections: days */
    GAIA_UNIT_MJD,
    GAIA_UNIT_YEARS /* Julian years */
} gaia_unit;

/* Of times, and of the corrections that lead to the barycentre. */
typedef struct gaia_clock {
    gaia_unit time, correction;
} gaia_clock;

/* By the first time of a source; unknown where it is in no unit from 2013 to 2040. */
gaia_unit gaia_unit_of_time(double time);

/* By the first correction that is not zero, beside times in this unit: Gaia is never further than
 * 510 light seconds from the barycentre. */
gaia_unit gaia_unit_of_correction(gaia_unit of_times, double correction);

/* Days since J2017.5 at the barycentre; `whole` is the time as a whole number of nanoseconds, which
 * loses no digit. NaN for a time that is not from 2013 to 2040 in units other than nanoseconds. */
double gaia_clock_days(const gaia_clock *clock, double time, int64_t whole, double correction);

/* For people: "Julian dates". */
const char *gaia_unit_name_of_times(gaia_unit unit);
const char *gaia_unit_name_of_corrections(gaia_unit unit);

#endif
