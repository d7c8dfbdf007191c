/* Orbits in double precision, for simulations and sums that tests compare with: Kepler's equation
 * by bisection, slow and sure for any eccentricity. Shares no code with src/. */
#ifndef ORACLE_PLAIN_ORBIT_H
#define ORACLE_PLAIN_ORBIT_H

#include <math.h>

#define PLAIN_ORBIT_TURN 6.28318530717958647693

static inline double plain_eccentric_anomaly(double mean_anomaly, double e)
{
    double m = remainder(mean_anomaly, PLAIN_ORBIT_TURN), low = m - e, high = m + e;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (middle - e * sin(middle) < m)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static inline double plain_true_anomaly(double mean_anomaly, double e)
{
    double half = 0.5 * plain_eccentric_anomaly(mean_anomaly, e);
    return 2.0 * atan2(sqrt(1.0 + e) * sin(half), sqrt(1.0 - e) * cos(half));
}

/* Elements are P, K, e, omega and M0, the mean anomaly at day 0. */
static inline double plain_velocity(const double elements[5], double days)
{
    double e = elements[2], omega = elements[3],
           v = plain_true_anomaly(PLAIN_ORBIT_TURN * days / elements[0] + elements[4], e);
    return elements[1] * (cos(v + omega) + e * cos(omega));
}

#endif
