/* Goodness of fit: residuals, their weights, chi-square and what the likelihood adds.
 *
 *   chi2 = sum_k w_k r_k^2,   w_k = 1/(sigma_k^2 + s^2)
 *   lnL  = -(chi2 + sum_k ln(sigma_k^2 + s^2) + N ln 2 pi) / 2
 *
 * with s the jitter of the instrument that made observation k. Observations of other
 * instruments, and padding, have infinite variance here: their weight is zero.
 */
#ifndef EQUANT_PHYSICS_CHI_SQUARE_H
#define EQUANT_PHYSICS_CHI_SQUARE_H

#include <math.h>

#include "physics/lane.h"
#include "physics/summation.h"

#define CHI_SQUARE_LN_TWO_PI 1.8378770664093454836

/* What is left of an observation after planets, offset and trend d1 t + d2 t^2. */
LANE_FUNCTION real chi_square_residual(real observed, real planets, real offset, real t, real d1,
                                       real d2)
{
    real trend = t * lane_fma(d2, t, d1);
    return ((observed - planets) - offset) - trend;
}

LANE_FUNCTION real chi_square_weight(real variance, real jitter)
{
    return REAL(1.0) / lane_fma(jitter, jitter, variance);
}

LANE_FUNCTION void chi_square_add(summation *chi2, int g, real residual, real weight,
                                  int compensated)
{
    summation_add_product(chi2, g, weight * residual, residual, compensated);
}

/* ln of a long product without a logarithm per factor: mantissas are multiplied,
 * exponents added, and one logarithm is left for the end. In double in every
 * precision: it is as cheap, and likelihoods are compared by their differences. */
typedef struct log_product {
    f64 mantissa, exponent;
} log_product;

/* Factors that are infinite (not an observation of this instrument) count as one. */
LANE_FUNCTION void log_product_multiply(log_product *product, f64 factor)
{
    f64_mask counted = lane_less(factor, F64(1.7976931348623157e308));
    f64 next = product->mantissa * lane_mantissa(lane_select(counted, factor, F64(1.0)));
    product->exponent = product->exponent + lane_exponent(lane_select(counted, factor, F64(1.0))) +
                        lane_exponent(next);
    product->mantissa = lane_mantissa(next);
}

/* ln of one lane's product. */
LANE_FUNCTION double log_product_logarithm(double mantissa, double exponent)
{
    return log(mantissa) + exponent * 0.69314718055994530942;
}

/* lnL from its parts. */
LANE_FUNCTION double chi_square_log_likelihood(double chi2, double log_variances, double n_obs)
{
    return -0.5 * (chi2 + log_variances + n_obs * CHI_SQUARE_LN_TWO_PI);
}

#endif
