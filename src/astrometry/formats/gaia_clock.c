#include "astrometry/formats/gaia_clock.h"

#include <math.h>
#include <stdbool.h>

#include "astrometry/formats/sky_date.h"
#include "equant.h"

/* J2017.5 in ns since 2010.0: 2739.375 days. */
#define GAIA_EPOCH_NS INT64_C(236682000000000000)

static const double ns_per_day = 86400e9, seconds_per_day = 86400;
static const double epoch_days = 2739.375;

/* 2013.0 and 2040.0, in days since J2017.5. */
static const double first_day = -1643.625, last_day = 8218.125;

/* A month in nanoseconds: all other units have smaller numbers. */
static const double fewest_ns = 2.6e15;

static const double most_light_seconds = 510;

/* Without a correction, in a unit other than nanoseconds. */
static double plain_days(gaia_unit unit, double time)
{
    double days = NAN;
    if (unit == GAIA_UNIT_SECONDS)
        days = time / seconds_per_day - epoch_days;
    else if (unit == GAIA_UNIT_JD)
        days = sky_date_days(SKY_DATE_JD, time, EQUANT_SKY_GAIA_JD);
    else if (unit == GAIA_UNIT_MJD)
        days = sky_date_days(SKY_DATE_MJD, time, EQUANT_SKY_GAIA_JD);
    else if (unit == GAIA_UNIT_YEARS)
        days = sky_date_days(SKY_DATE_YEAR, time, EQUANT_SKY_GAIA_JD);
    return days >= first_day && days <= last_day ? days : NAN;
}

gaia_unit gaia_unit_of_time(double time)
{
    if (time == 0 || fabs(time) >= fewest_ns)
        return GAIA_UNIT_NANOSECONDS;
    for (gaia_unit unit = GAIA_UNIT_SECONDS; unit <= GAIA_UNIT_YEARS; unit++)
        if (isfinite(plain_days(unit, time)))
            return unit;
    return GAIA_UNIT_UNKNOWN;
}

gaia_unit gaia_unit_of_correction(gaia_unit of_times, double correction)
{
    bool has_days = of_times >= GAIA_UNIT_JD;
    if (has_days && fabs(correction) <= most_light_seconds / seconds_per_day)
        return GAIA_UNIT_JD;
    return fabs(correction) <= most_light_seconds ? GAIA_UNIT_SECONDS : GAIA_UNIT_NANOSECONDS;
}

/* Whole nanoseconds are subtracted first, so that no digit is lost. */
double gaia_clock_days(const gaia_clock *clock, double time, int64_t whole, double correction)
{
    double correction_ns = clock->correction == GAIA_UNIT_SECONDS ? 1e9 * correction
                           : clock->correction == GAIA_UNIT_JD    ? ns_per_day * correction
                                                                  : correction;
    if (clock->time != GAIA_UNIT_NANOSECONDS)
        return plain_days(clock->time, time) + correction_ns / ns_per_day;
    double since_ns =
        whole > INT64_MIN + GAIA_EPOCH_NS ? (double)(whole - GAIA_EPOCH_NS) : (double)whole;
    return (since_ns + correction_ns) / ns_per_day;
}

const char *gaia_unit_name_of_times(gaia_unit unit)
{
    static const char *const names[] = {
        [GAIA_UNIT_UNKNOWN] = "an unknown unit",
        [GAIA_UNIT_NANOSECONDS] = "nanoseconds since 2010.0",
        [GAIA_UNIT_SECONDS] = "seconds since 2010.0",
        [GAIA_UNIT_JD] = "Julian dates",
        [GAIA_UNIT_MJD] = "modified Julian dates",
        [GAIA_UNIT_YEARS] = "Julian years",
    };
    return names[unit];
}

const char *gaia_unit_name_of_corrections(gaia_unit unit)
{
    return unit == GAIA_UNIT_JD ? "days" : unit == GAIA_UNIT_SECONDS ? "seconds" : "nanoseconds";
}
