/* Chi-square in long double: 64 bits of mantissa on x86, 113 on most others, so at
 * least a thousand times finer than the double that it judges.
 *
 * Symbols as in reference_libm.c. */
#include "bench/reference_quad.h"

#include <float.h>
#include <math.h>

#include "parallel/parallel_for.h"

_Static_assert(LDBL_MANT_DIG >= 64, "the reference needs a long double wider than double");

#define TWO_PI 6.28318530717958647692528676655900577L

typedef struct anomaly_sines {
    long double sine, cosine;
} anomaly_sines;

/* E of M in [0, pi] to about double accuracy. On that interval f is convex, and it is
 * not negative at any of the three starts: from there Newton's steps go down and
 * cannot pass the root, so the first step that does not go down ends the search. */
static double newton_from_above(double M, double e)
{
    double E = fmin(M + e, fmin(M / (1.0 - e), 0.5 * (double)TWO_PI));
    for (;;) {
        double next = E - (E - e * sin(E) - M) / (1.0 - e * cos(E));
        if (!(next < E))
            return E;
        E = next;
    }
}

/* Sine and cosine of E for M in [0, pi]. One Newton step in long double from the
 * double solution squares its error of at most about 1e-14, and the step is small
 * enough to turn sine and cosine by their series. */
static anomaly_sines solve(long double M, long double e)
{
    long double E = newton_from_above((double)M, (double)e);
    long double sine = sinl(E), cosine = cosl(E);
    long double step = -(E - e * sine - M) / (1.0L - e * cosine);
    long double half_square = 0.5L * step * step;
    return (anomaly_sines){sine + step * cosine - half_square * sine,
                           cosine - step * sine - half_square * cosine};
}

/* What does not change from one observation to the next. */
typedef struct planet_constants {
    long double period_days, eccentricity, phase_at_reference;
    long double of_cosine, of_sine; /* v = (of_cosine cos E - of_sine sin E) / (1 - e cos E) */
} planet_constants;

static planet_constants constants_of(const double *elements)
{
    long double k_m_s = elements[1], e = elements[2], omega_rad = elements[3];
    long double root = sqrtl((1.0L - e) * (1.0L + e));
    return (planet_constants){.period_days = elements[0],
                              .eccentricity = e,
                              .phase_at_reference = elements[4] / TWO_PI,
                              .of_cosine = k_m_s * root * root * cosl(omega_rad),
                              .of_sine = k_m_s * root * sinl(omega_rad)};
}

/* Velocity of one planet. fmodl is exact, so the phase is rounded only once it is
 * less than one revolution. */
static long double planet_velocity(const planet_constants *planet, long double days)
{
    long double phase =
        fmodl(days, planet->period_days) / planet->period_days + planet->phase_at_reference;
    phase -= rintl(phase);
    anomaly_sines at = solve(TWO_PI * fabsl(phase), planet->eccentricity);
    if (phase < 0.0L)
        at.sine = -at.sine;
    return (planet->of_cosine * at.cosine - planet->of_sine * at.sine) /
           (1.0L - planet->eccentricity * at.cosine);
}

static double chi_square_of(const reference_observations *observations, size_t n_planets,
                            const double *parameters)
{
    planet_constants planets[REFERENCE_QUAD_MAX_PLANETS];
    for (size_t p = 0; p < n_planets; p++)
        planets[p] = constants_of(parameters + p * REFERENCE_ELEMENTS);
    long double jitter_m_s = observations->jitter_m_s, sum = 0.0L;
    for (size_t k = 0; k < observations->n_obs; k++) {
        long double days =
            (long double)observations->time_days[k] - observations->reference_time_days;
        long double velocity_m_s = parameters[n_planets * REFERENCE_ELEMENTS];
        for (size_t p = 0; p < n_planets; p++)
            velocity_m_s += planet_velocity(&planets[p], days);
        long double residual = velocity_m_s - observations->velocity_m_s[k];
        long double sigma = observations->uncertainty_m_s[k];
        sum += residual * residual / (sigma * sigma + jitter_m_s * jitter_m_s);
    }
    return (double)sum;
}

typedef struct reference_request {
    const reference_observations *observations;
    size_t n_planets;
    const double *parameters;
    double *chi_square;
} reference_request;

static void evaluate_some(void *context, size_t first, size_t end, int thread)
{
    const reference_request *of = context;
    size_t n_columns = of->n_planets * REFERENCE_ELEMENTS + 1;
    (void)thread;
    for (size_t set = first; set < end; set++)
        of->chi_square[set] =
            chi_square_of(of->observations, of->n_planets, of->parameters + set * n_columns);
}

void reference_quad_chi_square(const reference_observations *observations, size_t n_planets,
                               size_t n_sets, const double *parameters, int n_threads,
                               double *chi_square)
{
    reference_request of = {observations, n_planets, parameters, chi_square};
    parallel_for(n_threads, n_sets, 16, evaluate_some, &of);
}
