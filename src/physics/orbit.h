/* What follows from the elements of one orbit: times, angles, masses. In plain double: nothing here
 * runs inside a loop over observations.
 *
 *   P       period, days                     K      semi-amplitude of the star's velocity, m/s
 *   e       eccentricity                     omega  argument of pericentre of the star, rad
 *   M0      mean anomaly at the reference time, rad
 *   E, nu   eccentric and true anomaly       M_star mass of the star, solar masses
 *   m       m sin i of the planet, Jupiter masses
 *   L_star  luminosity of the star, solar luminosities
 */
#ifndef EQUANT_PHYSICS_ORBIT_H
#define EQUANT_PHYSICS_ORBIT_H

#include <math.h>

typedef struct keplerian_orbit {
    double P, K, e, omega, M0;
    double M_star, L_star; /* NaN where they are unknown */
} keplerian_orbit;

#define ORBIT_PI 3.14159265358979323846
#define ORBIT_TWO_PI 6.28318530717958647693
/* m/s of a planet of one Jupiter mass in a circular orbit of one year around one solar mass:
 * (2 pi G / yr)^(1/3) M_jup M_sun^(-2/3), with the nominal masses of IAU 2015 B3. */
#define ORBIT_K_JUPITER_YEAR 28.43247
#define ORBIT_JUPITER_PER_SUN 1047.5655
#define ORBIT_DAYS_PER_YEAR 365.25
/* Of an orbit of one astronomical unit around one solar mass. */
#define ORBIT_DAYS_PER_GAUSSIAN_YEAR 365.2568983

/* K, of a black sphere one astronomical unit from the Sun that radiates all around what it absorbs:
 * (L / (16 pi sigma au^2))^(1/4), with the nominal luminosity of IAU 2015 B3. */
#define ORBIT_EQUILIBRIUM_K 278.3299

/* An angle brought to [-pi, pi). */
static inline double orbit_nearest_turn(double angle)
{
    return angle - ORBIT_TWO_PI * floor(angle / ORBIT_TWO_PI + 0.5);
}

/* The mean longitude M0 + omega at the reference time, in [0, 2 pi). */
static inline double orbit_mean_longitude(const keplerian_orbit *own)
{
    double lambda = orbit_nearest_turn(own->M0 + own->omega);
    return lambda < 0.0 ? lambda + ORBIT_TWO_PI : lambda;
}

/* Days from the reference time to the passage of pericentre next to it. */
static inline double orbit_to_pericentre(const keplerian_orbit *own)
{
    return -orbit_nearest_turn(own->M0) / ORBIT_TWO_PI * own->P;
}

/* Days from the reference time to when the star is at nu + omega = longitude, the time next to
 * it. */
static inline double orbit_to_longitude(const keplerian_orbit *own, double longitude)
{
    double e = own->e, half = 0.5 * (longitude - own->omega);
    double E = 2.0 * atan2(sqrt(1.0 - e) * sin(half), sqrt(1.0 + e) * cos(half));
    double M = E - e * sin(E);
    return orbit_nearest_turn(M - own->M0) / ORBIT_TWO_PI * own->P;
}

/* m sin i: a few turns for the mass of the planet itself, until they stop changing anything. */
static inline double orbit_minimum_mass(const keplerian_orbit *own)
{
    double years = own->P / ORBIT_DAYS_PER_YEAR, m = 0.0, before = -1.0;
    for (int turn = 0; turn < 20 && m != before; turn++) {
        before = m;
        m = own->K / ORBIT_K_JUPITER_YEAR * sqrt(1.0 - own->e * own->e) * cbrt(years) *
            pow(own->M_star + m / ORBIT_JUPITER_PER_SUN, 2.0 / 3.0);
    }
    return m;
}

/* The semi-major axis of the relative orbit in astronomical units. */
static inline double orbit_semi_major_axis(const keplerian_orbit *own)
{
    double years = own->P / ORBIT_DAYS_PER_GAUSSIAN_YEAR;
    return cbrt((own->M_star + orbit_minimum_mass(own) / ORBIT_JUPITER_PER_SUN) * years * years);
}

/* What arrives at the distance of the semi-major axis, as a multiple of what the Earth has. */
static inline double orbit_insolation(const keplerian_orbit *own)
{
    double a = orbit_semi_major_axis(own);
    return own->L_star / (a * a);
}

/* K, of a planet at that distance that reflects nothing and shares its heat all around. */
static inline double orbit_equilibrium_temperature(const keplerian_orbit *own)
{
    return ORBIT_EQUILIBRIUM_K * sqrt(sqrt(orbit_insolation(own)));
}

#endif
