#include "random_system.h"

#include <math.h>

uint64_t random_system_bits(random_system *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_system_uniform(random_system *random)
{
    return (double)(random_system_bits(random) >> 11) * 0x1p-53;
}

double random_system_between(random_system *random, double low, double high)
{
    return low + (high - low) * random_system_uniform(random);
}

size_t random_system_below(random_system *random, size_t n)
{
    return (size_t)(random_system_bits(random) % n);
}

/* ln x and exp x by series: good to about 1e-15, and the same on every machine. */
static double portable_log(double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent);
    double z = (mantissa - 1) / (mantissa + 1), square = z * z, term = z, sum = 0;
    for (int k = 1; k < 60; k += 2, term *= square)
        sum += term / k;
    return 2 * sum + exponent * 0.6931471805599453;
}

static double portable_exp(double x)
{
    double whole = rint(x / 0.6931471805599453);
    double rest = x - whole * 0.6931471805599453, term = 1, sum = 0;
    for (int k = 1; k < 20; term *= rest / k++)
        sum += term;
    return ldexp(sum, (int)whole);
}

double random_system_log_between(random_system *random, double low, double high)
{
    return portable_exp(random_system_between(random, portable_log(low), portable_log(high)));
}

void random_system_planet(random_system *random, double planet[5])
{
    const double two_pi = 6.283185307179586;
    planet[0] = random_system_log_between(random, 2, 3652.5);
    planet[1] = random_system_log_between(random, 1, 500);
    planet[2] = random_system_between(random, 0, 0.99);
    planet[3] = random_system_between(random, 0, two_pi);
    planet[4] = random_system_between(random, 0, two_pi);
}

void random_system_observations(random_system *random, size_t n_obs, size_t n_instruments,
                                double first_time, double *time_days, double *velocity_m_s,
                                double *uncertainty_m_s, int *instrument)
{
    for (size_t k = 0; k < n_obs; k++) {
        instrument[k] = (int)(k < n_instruments ? k : random_system_below(random, n_instruments));
        time_days[k] = first_time + random_system_between(random, 0, 3652.5);
        velocity_m_s[k] = 25.0 * instrument[k] + random_system_between(random, -300, 300);
        uncertainty_m_s[k] = random_system_between(random, 1, 4);
    }
}
