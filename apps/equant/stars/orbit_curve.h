/* Velocity of a star under one planet at any times, by the library itself. */
#ifndef EQUANT_APP_STARS_ORBIT_CURVE_H
#define EQUANT_APP_STARS_ORBIT_CURVE_H

#include "equant.h"

/* Fills velocity_m_s[n] at time_days[n] (n >= 1, ascending). Returns an exit code, with a
 * sentence on failure. */
int orbit_curve_evaluate(const equant_planet *planet, double reference_time_days, size_t n,
                         const double *time_days, double *velocity_m_s);

#endif
