#include "inference/study/orbit_quantities.h"
#include "model/orbit_elements.h"

#include <math.h>

#define PI 3.14159265358979323846
#define TWO_PI 6.28318530717958647693
/* m/s of a planet of one Jupiter mass in a circular orbit of one year around one solar mass:
 * (2 pi G / yr)^(1/3) M_jup M_sun^(-2/3), with the nominal masses of IAU 2015 B3. */
#define K_JUPITER_YEAR 28.43247
#define JUPITER_PER_SUN 1047.5655
#define DAYS_PER_YEAR 365.25
/* Of an orbit of one astronomical unit around one solar mass. */
#define DAYS_PER_GAUSSIAN_YEAR 365.2568983

/* An angle brought to [-pi, pi). */
static double nearest_turn(double angle)
{
    return angle - TWO_PI * floor(angle / TWO_PI + 0.5);
}

/* m sin i in Jupiter masses: a few turns for the mass of the planet itself, until they stop
 * changing anything. */
static double minimum_mass(double star_mass, double period_days, double k_m_s, double e)
{
    double years = period_days / DAYS_PER_YEAR, mass = 0.0, before = -1.0;
    for (int turn = 0; turn < 20 && mass != before; turn++) {
        before = mass;
        mass = k_m_s / K_JUPITER_YEAR * sqrt(1.0 - e * e) * cbrt(years) *
               pow(star_mass + mass / JUPITER_PER_SUN, 2.0 / 3.0);
    }
    return mass;
}

/* Mean anomaly with the planet between the star and us: nu + omega = pi/2 for the star. */
static double conjunction_anomaly(double e, double omega)
{
    double half = 0.5 * (0.5 * PI - omega);
    double E = 2.0 * atan2(sqrt(1.0 - e) * sin(half), sqrt(1.0 + e) * cos(half));
    return E - e * sin(E);
}

orbit_quantities orbit_quantities_of(const double elements[N_ELEMENTS], double star_mass)
{
    double period = elements[0], e = elements[2], omega = elements[3], m0 = elements[4];
    double lambda = nearest_turn(m0 + omega), mass = NAN, axis = NAN;
    if (star_mass > 0.0) {
        double years = period / DAYS_PER_GAUSSIAN_YEAR;
        mass = minimum_mass(star_mass, period, elements[1], e);
        axis = cbrt((star_mass + mass / JUPITER_PER_SUN) * years * years);
    }
    return (orbit_quantities){
        .lambda_rad = lambda < 0.0 ? lambda + TWO_PI : lambda,
        .to_pericentre_days = -nearest_turn(m0) / TWO_PI * period,
        .to_conjunction_days = nearest_turn(conjunction_anomaly(e, omega) - m0) / TWO_PI * period,
        .m_sin_i_jupiter = mass,
        .a_au = axis,
    };
}
