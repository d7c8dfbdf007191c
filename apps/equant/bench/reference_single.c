/* M mean anomaly, E eccentric anomaly, e eccentricity; f = E - e sin E - M and its
 * derivatives f1, f2, f3; d1, d2, d3 Danby's corrections. */
#include "bench/reference_single.h"

#include <math.h>

#include "parallel/parallel_for.h"

#define TWO_PI_SINGLE 6.28318530717958647693f

/* Kahan's sum, by which the paper adds velocities and chi-square. */
typedef struct kahan_sum {
    float big, small;
} kahan_sum;

static void add(kahan_sum *sum, float term)
{
    float u = term - sum->small, w = sum->big + u;
    sum->small = (w - sum->big) - u;
    sum->big = w;
}

/* The fraction of a turn since the reference time, M0 left out. */
static float phase_of(double days, double period_days, bool in_double)
{
    if (in_double) {
        double turns = days / period_days;
        return (float)(turns - floor(turns));
    }
    float turns = (float)days / (float)period_days;
    return turns - floorf(turns);
}

static float solve(float M, float e)
{
    float sine_sign = M < TWO_PI_SINGLE / 2.0f ? 1.0f : -1.0f;
    float E = M + 0.85f * e * sine_sign;
    for (int iteration = 0; iteration < 10; iteration++) {
        float f2 = e * sinf(E), f3 = e * cosf(E), f = E - f2 - M, f1 = 1.0f - f3;
        if (fabsf(f) < 1e-6f)
            break;
        float d1 = -f / f1;
        float d2 = -f / (f1 + d1 * f2 / 2.0f);
        E -= f / (f1 + d2 * f2 / 2.0f + d2 * d2 * f3 / 6.0f);
    }
    return E;
}

static float velocity_of(const double *elements, double days, bool phase_in_double)
{
    float k_m_s = (float)elements[1], e = (float)elements[2], omega_rad = (float)elements[3];
    float M = TWO_PI_SINGLE * phase_of(days, elements[0], phase_in_double) + (float)elements[4];
    if (M >= TWO_PI_SINGLE)
        M -= TWO_PI_SINGLE;
    float E = solve(M, e), root = sqrtf(1.0f - e * e);
    float bracket = root * cosf(omega_rad) * cosf(E) - sinf(omega_rad) * sinf(E);
    return k_m_s * root * bracket / (1.0f - e * cosf(E));
}

static double chi_square_of(const reference_observations *observations, size_t n_planets,
                            const double *parameters, bool phase_in_double)
{
    kahan_sum chi_square = {0.0f, 0.0f};
    float jitter_m_s = (float)observations->jitter_m_s;
    for (size_t k = 0; k < observations->n_obs; k++) {
        double days = observations->time_days[k] - observations->reference_time_days;
        kahan_sum velocity = {(float)parameters[n_planets * REFERENCE_ELEMENTS], 0.0f};
        for (size_t p = 0; p < n_planets; p++)
            add(&velocity, velocity_of(parameters + p * REFERENCE_ELEMENTS, days, phase_in_double));
        float residual = (float)observations->velocity_m_s[k] - velocity.big;
        float sigma = (float)observations->uncertainty_m_s[k];
        add(&chi_square, residual * residual / (sigma * sigma + jitter_m_s * jitter_m_s));
    }
    return chi_square.big;
}

typedef struct reference_request {
    const reference_observations *observations;
    size_t n_planets;
    const double *parameters;
    bool phase_in_double;
    double *chi_square;
} reference_request;

static void evaluate_some(void *context, size_t first, size_t end, int thread)
{
    const reference_request *of = context;
    size_t n_columns = of->n_planets * REFERENCE_ELEMENTS + 1;
    (void)thread;
    for (size_t set = first; set < end; set++)
        of->chi_square[set] = chi_square_of(of->observations, of->n_planets,
                                            of->parameters + set * n_columns, of->phase_in_double);
}

void reference_single_chi_square(const reference_observations *observations, size_t n_planets,
                                 size_t n_sets, const double *parameters, bool phase_in_double,
                                 int n_threads, double *chi_square)
{
    reference_request of = {observations, n_planets, parameters, phase_in_double, chi_square};
    parallel_for(n_threads, n_sets, 16, evaluate_some, &of);
}
