/* The baseline of the benchmark. Kept plain on purpose: what does not change from
 * one observation to the next is computed once per planet, and nothing else is
 * done for speed.
 *
 * Symbols: M mean anomaly, E eccentric anomaly, e eccentricity; f = E - e sin E - M
 * and its derivatives f1, f2, f3; d1, d2, d3 Danby's corrections. */
#include "bench/reference_libm.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct eccentric_anomaly {
    double E, sine, cosine;
} eccentric_anomaly;

/* Danby's quartic iteration from the starter of Ford (2008), with the third
 * correction as Danby has it (the paper's is misprinted). */
static eccentric_anomaly solve(double M, double e, reference_libm_limits limits)
{
    double E = M < PI ? M + 0.85 * e : M - 0.85 * e; /* M in [0, 2 pi): the sign of sin M */
    double sine = sin(E), cosine = cos(E);
    for (int iteration = 0; iteration < limits.max_iterations; iteration++) {
        double f = E - e * sine - M;
        if (fabs(f) < limits.tolerance)
            break;
        double f1 = 1.0 - e * cosine, f2 = e * sine, f3 = e * cosine;
        double d1 = -f / f1;
        double d2 = -f / (f1 + d1 * f2 / 2.0);
        double d3 = -f / (f1 + d2 * f2 / 2.0 + d2 * d2 * f3 / 6.0);
        E += d3;
        sine = sin(E);
        cosine = cos(E);
    }
    return (eccentric_anomaly){E, sine, cosine};
}

void reference_libm_kepler(size_t n, const double *mean_anomaly_rad, const double *eccentricity,
                           reference_libm_limits limits, double *eccentric_anomaly_rad,
                           double *sine, double *cosine)
{
    for (size_t i = 0; i < n; i++) {
        eccentric_anomaly solution = solve(mean_anomaly_rad[i], eccentricity[i], limits);
        eccentric_anomaly_rad[i] = solution.E;
        sine[i] = solution.sine;
        cosine[i] = solution.cosine;
    }
}

/* Adds the velocities of one planet, v = K [cos(nu + omega) + e cos omega], with the
 * true anomaly nu eliminated:
 *   v = K sqrt(1-e^2) / (1 - e cos E) [sqrt(1-e^2) cos omega cos E - sin omega sin E]. */
static void add_planet(const reference_observations *observations, const double *elements,
                       reference_libm_limits limits, double *velocities_m_s)
{
    double period_days = elements[0], k_m_s = elements[1], e = elements[2];
    double omega_rad = elements[3], phase_at_reference = elements[4] / (2.0 * PI);
    double root = sqrt(1.0 - e * e);
    double of_cosine = k_m_s * root * root * cos(omega_rad);
    double of_sine = k_m_s * root * sin(omega_rad);
    for (size_t k = 0; k < observations->n_obs; k++) {
        double days = observations->time_days[k] - observations->reference_time_days;
        double phase = days / period_days + phase_at_reference;
        double M = 2.0 * PI * (phase - floor(phase));
        eccentric_anomaly at = solve(M, e, limits);
        velocities_m_s[k] += (of_cosine * at.cosine - of_sine * at.sine) / (1.0 - e * at.cosine);
    }
}

void reference_libm_velocities(const reference_observations *observations, size_t n_planets,
                               const double *parameters, reference_libm_limits limits,
                               double *velocities_m_s)
{
    double offset_m_s = parameters[n_planets * REFERENCE_ELEMENTS];
    for (size_t k = 0; k < observations->n_obs; k++)
        velocities_m_s[k] = offset_m_s;
    for (size_t planet = 0; planet < n_planets; planet++)
        add_planet(observations, parameters + planet * REFERENCE_ELEMENTS, limits, velocities_m_s);
}

void reference_libm_chi_square(const reference_observations *observations, size_t n_planets,
                               size_t n_sets, const double *parameters,
                               reference_libm_limits limits, double *velocities_m_s,
                               double *chi_square)
{
    size_t n_columns = n_planets * REFERENCE_ELEMENTS + 1;
    double jitter_variance = observations->jitter_m_s * observations->jitter_m_s;
    for (size_t set = 0; set < n_sets; set++) {
        reference_libm_velocities(observations, n_planets, parameters + set * n_columns, limits,
                                  velocities_m_s);
        double sum = 0.0;
        for (size_t k = 0; k < observations->n_obs; k++) {
            double residual = velocities_m_s[k] - observations->velocity_m_s[k];
            double sigma = observations->uncertainty_m_s[k];
            sum += residual * residual / (sigma * sigma + jitter_variance);
        }
        chi_square[set] = sum;
    }
}
