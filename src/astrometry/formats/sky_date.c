#include "astrometry/formats/sky_date.h"

#include <math.h>

sky_date sky_date_guess(double number)
{
    if (number > 2e6)
        return SKY_DATE_JD;
    if (number > 3e4 && number < 1e5)
        return SKY_DATE_MJD;
    return number > 1850 && number < 2150 ? SKY_DATE_YEAR : SKY_DATE_DAYS;
}

double sky_date_days(sky_date date, double number, double reference_jd)
{
    switch (date) {
    case SKY_DATE_JD:
        return number - reference_jd;
    case SKY_DATE_MJD:
        return number - (reference_jd - 2400000.5);
    case SKY_DATE_RJD:
        return number - (reference_jd - 2400000.0);
    case SKY_DATE_YEAR: /* Julian years count from J2000.0, JD 2451545 */
        return (number - 2000) * 365.25 - (reference_jd - 2451545.0);
    case SKY_DATE_DAYS:
        break;
    }
    return number;
}

bool sky_date_is_near(double time_days)
{
    return fabs(time_days) < 365250;
}

const char *sky_date_name(sky_date date)
{
    switch (date) {
    case SKY_DATE_JD:
        return "JD";
    case SKY_DATE_MJD:
        return "MJD";
    case SKY_DATE_RJD:
        return "JD - 2400000";
    case SKY_DATE_YEAR:
        return "Julian years";
    case SKY_DATE_DAYS:
        break;
    }
    return "days since J2017.5";
}
