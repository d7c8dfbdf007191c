#include "inference/interaction/interaction_start.h"

#include <math.h>

#define AU_DAY_IN_M_S (149597870700.0 / 86400.0)
#define TWO_PI 6.28318530717958647693

/* K sqrt(1 - e^2) = sin i m / M (G M n)^(1/3) of a planet of mass m, M that of it and of all within
 * its orbit. */
static double reduced_amplitude(double mass_within, double mass, double period_days)
{
    double total = mass_within + mass, n = TWO_PI / period_days;
    return AU_DAY_IN_M_S * mass / total * cbrt(NBODY_GRAVITY * total * n);
}

static double mass_of(double mass_within, double period_days, double amplitude_m_s)
{
    double mass = 0.0, before = -1.0;
    for (int turn = 0; turn < 50 && fabs(mass - before) > 1e-15 * mass; turn++) {
        before = mass;
        double total = mass_within + mass, n = TWO_PI / period_days;
        mass = amplitude_m_s / AU_DAY_IN_M_S * total / cbrt(NBODY_GRAVITY * total * n);
    }
    return mass;
}

void interaction_start(double star_mass, size_t n_planets, const double *orbits,
                       double inclination_rad, double *elements)
{
    double within = star_mass;
    for (size_t p = 0; p < n_planets; p++) {
        const double *from = orbits + p * N_ELEMENTS;
        double *to = elements + p * NBODY_N_ELEMENTS, e = from[ELEMENT_ECCENTRICITY];
        double amplitude = from[ELEMENT_K] * sqrt(1.0 - e * e) / sin(inclination_rad);
        to[NBODY_MASS] = mass_of(within, from[ELEMENT_PERIOD], amplitude);
        to[NBODY_PERIOD] = from[ELEMENT_PERIOD];
        to[NBODY_H] = e * cos(from[ELEMENT_OMEGA]);
        to[NBODY_K] = e * sin(from[ELEMENT_OMEGA]);
        to[NBODY_LONGITUDE] = from[ELEMENT_M0] + from[ELEMENT_OMEGA];
        to[NBODY_INCLINATION] = inclination_rad;
        to[NBODY_NODE] = 0.0;
        within += to[NBODY_MASS];
    }
}

double interaction_semi_amplitude(double star_mass, const double *elements, size_t p)
{
    double within = star_mass;
    for (size_t q = 0; q < p; q++)
        within += elements[q * NBODY_N_ELEMENTS + NBODY_MASS];
    const double *own = elements + p * NBODY_N_ELEMENTS;
    double e2 = own[NBODY_H] * own[NBODY_H] + own[NBODY_K] * own[NBODY_K];
    return reduced_amplitude(within, own[NBODY_MASS], own[NBODY_PERIOD]) *
           sin(own[NBODY_INCLINATION]) / sqrt(1.0 - e2);
}
