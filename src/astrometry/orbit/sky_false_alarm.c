/* The abscissae of orbits of unit length are a manifold on the sphere of the data space; a part of
 * it of dimension k and volume V_k has V_k (2 pi)^(-(k+1)/2) (2 z)^((k-1)/2) exp(-z) maxima above a
 * gain z, half of that where it is an edge. tools/make_sky_false_alarm.py integrates them:
 *
 *     per unit of W = width * effective span:  P z^(5/2) + Q z^2 + z^(3/2)
 *     at a single frequency:                   A z^2 + B z^(3/2) + z + 1
 *
 * Velocities beside bring two amplitudes more, and with each of them z^(1/2). Where the noise level
 * is fitted, z^((k-1)/2) exp(-z) becomes what the same geometry gives on a sphere: as in
 * inference/search/false_alarm.c. */
#include "astrometry/orbit/sky_false_alarm.h"

#include <math.h>

#define ECCENTRICITY_MAX 0.99 /* to which the polynomials were fitted */
#define LARGEST_GAIN 1e9

enum { N_COEFFICIENTS = 8, MOST_DIMENSIONS = 8 };

/* ln(P/e^2), ln(Q/e), ln(A/e^2) and ln(B/e) in powers 0 to 7 of -ln(1 - e); relative errors of
 * P ... B below 1e-3. */
static const double inside[N_COEFFICIENTS] = {-1.386769376e+00, 1.592420474e-02, 4.676796536e-01,
                                              -3.176839622e-01, 1.162977708e-01, -2.522510499e-02,
                                              3.007650261e-03,  -1.511779056e-04};
static const double edge[N_COEFFICIENTS] = {-1.216975666e-01, 3.068733483e-02, 8.168249648e-01,
                                            -5.230093559e-01, 1.909656864e-01, -4.169104378e-02,
                                            5.028619253e-03,  -2.562594986e-04};
static const double inside_one[N_COEFFICIENTS] = {
    -1.386600661e+00, 1.016741594e-02,  3.152461579e-01, -2.234903308e-01,
    8.325184125e-02,  -1.817156767e-02, 2.169687405e-03, -1.089563623e-04};
static const double edge_one[N_COEFFICIENTS] = {-1.213589139e-01, 1.930071769e-02, 5.100294029e-01,
                                                -3.263226181e-01, 1.186828347e-01, -2.596058552e-02,
                                                3.144628317e-03,  -1.609270325e-04};

static double volume(double start, const double coefficient[N_COEFFICIENTS], double e)
{
    double x = -log1p(-e), logarithm = 0.0;
    for (int power = N_COEFFICIENTS; power-- > 0;)
        logarithm = logarithm * x + coefficient[power];
    return start * exp(logarithm);
}

/* The logarithm of z^((k-1)/2) exp(-z), or of what stands for it when the noise level is fitted;
 * `left` is how many dimensions the base leaves of n_rows. */
static double log_tail(size_t k, double z, double n_rows, double left)
{
    double power = 0.5 * ((double)k - 1.0);
    if (n_rows == 0.0)
        return power * log(z) - z;
    double log_left = -2.0 * z / n_rows;
    return lgamma(0.5 * left) - lgamma(0.5 * left - power) + power * log(-expm1(log_left)) +
           0.5 * (left - (double)k - 1.0) * log_left;
}

/* The bound from the shares of all dimensions. */
static double bound(const double share[MOST_DIMENSIONS + 1], double n_rows, double n_base,
                    double gain)
{
    double sum = 0.0, z = fmin(gain, LARGEST_GAIN);
    if (!(z > 0.0))
        return 1.0;
    for (size_t k = 1; k <= MOST_DIMENSIONS; k++) {
        if (!(share[k] > 0.0))
            continue;
        if (n_rows > 0.0 && n_rows - n_base <= (double)k + 1.0)
            return 1.0; /* an orbit can go through all points: no gain is surprising */
        sum += exp(log(share[k]) + log_tail(k, z, n_rows, n_rows - n_base));
    }
    return fmin(1.0, sum);
}

double sky_false_alarm_probability(const sky_false_alarm *search, double log_likelihood_gain)
{
    double share[MOST_DIMENSIONS + 1] = {0.0}, largest = 0.0;
    size_t more = search->n_more_amplitudes;
    for (size_t b = 0; b < search->n_bands; b++) {
        double e = fmin(search->bands[b].eccentricity_max, ECCENTRICITY_MAX);
        double cycles = search->bands[b].width_per_day * search->effective_span_days;
        share[6 + more] += cycles * volume(e * e, inside, e);
        share[5 + more] += cycles * volume(e, edge, e);
        share[4 + more] += cycles;
        largest = fmax(largest, e);
    }
    share[5 + more] += volume(largest * largest, inside_one, largest);
    share[4 + more] += volume(largest, edge_one, largest);
    share[3 + more] += 1.0;
    share[1 + more] += 1.0;
    return bound(share, (double)search->n_rows, (double)search->n_base, log_likelihood_gain);
}

/* Of n columns, chi-square's tail: z^(n/2-1) exp(-z) / Gamma(n/2) and the terms below it. */
double sky_false_alarm_columns(size_t n_columns, size_t n_rows, size_t n_base,
                               double log_likelihood_gain)
{
    double share[MOST_DIMENSIONS + 1] = {0.0};
    for (size_t n = n_columns; n >= 2; n -= 2)
        share[n - 1] = 1.0 / tgamma(0.5 * (double)n);
    return bound(share, (double)n_rows, (double)n_base, log_likelihood_gain);
}
