/* False-alarm probabilities from the geometry of the templates.
 *
 * The normalised velocity curves form a manifold on the unit sphere of the data space, and
 * the gain z of the best one is half the square of the largest projection of the noise on
 * them. A part of the manifold of dimension k and volume V_k contributes
 *
 *     V_k (2 pi)^(-(k+1)/2) (2 z)^((k-1)/2) exp(-z)
 *
 * maxima above z, half of it where the part is an edge (Rice's formula, expected Euler
 * characteristic). tools/make_false_alarm.py works the volumes out:
 *
 *     per unit of W = width * effective span:  P z^(3/2) + Q z + z^(1/2)
 *     at a single frequency:                   A z + B z^(1/2) + 1
 *
 * The last terms are the circles', for which this is Baluev's formula. The single frequency
 * is what the two ends of the frequency range count for together.
 *
 * Where the noise level is fitted, noise has but a direction, uniform on the sphere of
 * n = n_obs - n_base dimensions. The same geometry then gives, with the share
 * p = 1 - exp(-2 z / n_obs) of chi-square that the gain explains, instead of
 * z^((k-1)/2) exp(-z)
 *
 *     Gamma(n/2) / Gamma((n-k+1)/2) p^((k-1)/2) (1-p)^((n-k-1)/2) .
 *
 * With k = 4 the exponential is exp(-z (n_obs - n_base - 5) / n_obs): the degrees of freedom
 * that a Keplerian leaves count. Everything is kept as logarithms, so that strong signals
 * have honest tiny probabilities. */
#include "inference/search/false_alarm.h"

#include <math.h>

#include "model/circle.h"

#define ECCENTRICITY_MAX 0.99 /* to which the polynomials were fitted */
#define LARGEST_GAIN 1e9      /* its probability is 0 in any number that a double holds */

enum { N_DIMENSIONS = 4, N_COEFFICIENTS = 7 };

/* Shares of the dimensions 1 to 4 in the number of maxima, before the powers of z. */
typedef struct share_list {
    double of_dimension[N_DIMENSIONS + 1];
} share_list;

/* Made by tools/make_false_alarm.py: ln(P/e^2), ln(Q/(sqrt(pi) e)), ln(A/e^2) and
 * ln(B/(sqrt(pi) e)) in powers 1 to 7 of -ln(1 - e). Relative errors of P ... B below 4e-3. */
static const double inside[N_COEFFICIENTS] = {4.900159920e-02, 1.425276338e+00,  -7.559487906e-01,
                                              3.085079776e-01, -7.632750150e-02, 1.007493822e-02,
                                              -5.449502248e-04};
static const double edge[N_COEFFICIENTS] = {7.285116725e-02, 2.270606083e+00,  -1.387401074e+00,
                                            5.530271127e-01, -1.316819899e-01, 1.692215096e-02,
                                            -9.001537639e-04};
static const double inside_one[N_COEFFICIENTS] = {
    2.671725861e-02,  8.379068668e-01, -4.799165661e-01, 1.878380188e-01,
    -4.412874002e-02, 5.617459994e-03, -2.971213801e-04};
static const double edge_one[N_COEFFICIENTS] = {3.331821269e-02, 1.040438533e+00,  -5.958194630e-01,
                                                2.305836117e-01, -5.430326458e-02, 6.955254200e-03,
                                                -3.698487967e-04};

double false_alarm_effective_span(size_t n_obs, const double *time_days, const double *weight)
{
    double total = 0.0, mean = 0.0, variance = 0.0;
    for (size_t k = 0; k < n_obs; k++) {
        total += weight[k];
        mean += weight[k] * time_days[k];
    }
    mean /= total;
    for (size_t k = 0; k < n_obs; k++)
        variance += weight[k] * (time_days[k] - mean) * (time_days[k] - mean);
    return sqrt(4.0 * PI * variance / total);
}

/* `start` times what the polynomial says of it at -ln(1 - e) = x. */
static double volume(double start, const double coefficient[N_COEFFICIENTS], double x)
{
    double logarithm = 0.0;
    for (int power = N_COEFFICIENTS; power-- > 0;)
        logarithm = (logarithm + coefficient[power]) * x;
    return start * exp(logarithm);
}

static share_list shares_of(const false_alarm_search *search)
{
    share_list shares = {{0.0}};
    double e_largest = 0.0;
    for (size_t b = 0; b < search->n_bands; b++) {
        double e = fmin(search->bands[b].eccentricity_max, ECCENTRICITY_MAX), x = -log1p(-e);
        double own = search->bands[b].effective_span_days;
        double cycles =
            search->bands[b].width_per_day * (own > 0.0 ? own : search->effective_span_days);
        shares.of_dimension[4] += cycles * volume(e * e, inside, x);
        shares.of_dimension[3] += cycles * volume(sqrt(PI) * e, edge, x);
        shares.of_dimension[2] += cycles;
        e_largest = fmax(e_largest, e);
    }
    double x = -log1p(-e_largest);
    shares.of_dimension[3] += volume(e_largest * e_largest, inside_one, x);
    shares.of_dimension[2] += volume(sqrt(PI) * e_largest, edge_one, x);
    shares.of_dimension[1] += 1.0;
    return shares;
}

/* The logarithm of z^((k-1)/2) exp(-z), or of what stands for it when the noise level is
 * fitted to n_obs observations; without_base is how many of them the base leaves. */
static double log_tail(int k, double z, double n_obs, double without_base)
{
    double power = 0.5 * (k - 1);
    if (n_obs == 0.0)
        return power * log(z) - z;
    double log_left = -2.0 * z / n_obs; /* ln(1 - p) */
    return lgamma(0.5 * without_base) - lgamma(0.5 * without_base - power) +
           power * log(-expm1(log_left)) + 0.5 * (without_base - k - 1.0) * log_left;
}

/* The logarithm of the bound, which may exceed 0; z > 0. */
static double log_bound(const false_alarm_search *search, const share_list *shares, double z)
{
    double n_obs = (double)search->n_obs, without_base = n_obs - (double)search->n_base;
    double sum = -INFINITY;
    for (int k = 1; k <= N_DIMENSIONS; k++) {
        if (!(shares->of_dimension[k] > 0.0))
            continue;
        if (n_obs > 0.0 && without_base <= k + 1.0)
            return 0.0; /* an orbit can go through all points: no gain is surprising */
        double term = log(shares->of_dimension[k]) + log_tail(k, z, n_obs, without_base);
        double larger = fmax(sum, term), smaller = fmin(sum, term);
        sum = larger + log1p(exp(smaller - larger));
    }
    return sum;
}

double false_alarm_probability(const false_alarm_search *search, double log_likelihood_gain)
{
    if (!(log_likelihood_gain > 0.0))
        return 1.0;
    share_list shares = shares_of(search);
    return exp(fmin(0.0, log_bound(search, &shares, fmin(log_likelihood_gain, LARGEST_GAIN))));
}

double false_alarm_level(const false_alarm_search *search, double probability)
{
    share_list shares = shares_of(search);
    double target = log(probability), low = 0.0, high = 1.0;
    while (log_bound(search, &shares, high) > target) {
        low = high;
        high *= 2.0;
        if (high > LARGEST_GAIN)
            return INFINITY;
    }
    while (high - low > 1e-12 * high) {
        double middle = 0.5 * (low + high);
        if (log_bound(search, &shares, middle) > target)
            low = middle;
        else
            high = middle;
    }
    return high;
}
