/* Velocity of a star under one planet at any times, by the library itself. */
#ifndef EQUANT_APP_STARS_ORBIT_CURVE_H
#define EQUANT_APP_STARS_ORBIT_CURVE_H

#include "stars/star_result.h"

enum { ORBIT_CURVE_TURN_MOST = 256 };

/* Mean anomalies from 0 to 2 pi, ascending, at which a curve of one turn has to be known to look
 * smooth: even steps of the eccentric anomaly, and of the true anomaly, without which the peak of
 * an eccentric orbit has corners. `share`, up to 1, thins them. Returns how many there are. */
size_t orbit_curve_turn(double eccentricity, double share, double anomaly[ORBIT_CURVE_TURN_MOST]);

/* Fills velocity_m_s[n] at time_days[n] (n >= 1, ascending) for the elements of a planet. Returns
 * an exit code, with a sentence on failure. */
int orbit_curve_evaluate(const double *elements, double reference_time_days, size_t n,
                         const double *time_days, double *velocity_m_s);

/* The same for a planet of a star. */
int orbit_curve_of_planet(const struct star_result *star, size_t index, size_t n,
                          const double *time_days, double *velocity_m_s);

#endif
