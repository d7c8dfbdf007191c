/* The zero point of times of Gaia, which are days since 2010.0 (TCB), or Julian dates where a table
 * was converted: the first time of a file tells. */
#ifndef EQUANT_DATA_GAIA_DAYS_H
#define EQUANT_DATA_GAIA_DAYS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define GAIA_DAYS_EPOCH_JD 2455197.5 /* 2010.0 */

/* No time of Gaia lies outside of 2013 to 2040. */
static inline bool gaia_days_is_time(double jd)
{
    return jd > 2456293.5 && jd < 2466154.5;
}

/* NaN: it is no time of Gaia by any count. */
static inline double gaia_days_zero_jd(double time)
{
    const double zeros[] = {GAIA_DAYS_EPOCH_JD, 0.0, 2400000.5};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++)
        if (gaia_days_is_time(time + zeros[i]))
            return zeros[i];
    return NAN;
}

#endif
