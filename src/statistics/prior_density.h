/* Prior densities of one variable: normalised, with their cumulatives and quantiles.
 *
 *   kind                   first    second   density between lower and upper, up to its norm
 *   fixed                  value    -        a point
 *   uniform                -        -        1
 *   log-uniform            -        -        1 / x                       (Jeffreys)
 *   modified log-uniform   knee     -        1 / (x + knee)              (modified Jeffreys)
 *   falling limit          knee     period   the same, with an upper limit that falls
 *   normal                 mean     sigma    exp(-(x - mean)^2 / (2 sigma^2))
 *   beta                   alpha    beta     x^(alpha - 1) (1 - x)^(beta - 1)
 *   Rayleigh               scale    -        x exp(-x^2 / (2 scale^2))
 *   log-normal             mu       sigma    exp(-(ln x - mu)^2 / (2 sigma^2)) / x
 *   turns                  -        -        1 / x, x in periods of the same noise term
 *
 * The falling limit, upper (period / P)^(1/3) / sqrt(1 - e^2), is that of K of Ford & Gregory
 * (2006, Table 1): the amplitude of the heaviest companion falls with the period of its orbit and
 * grows with its eccentricity. It makes a density of K at given P and e, which
 * prior_density_at_orbit turns into one of K alone. In the same way turns are a density at a given
 * period: x and its bounds are multiples of it, and prior_density_at_period has those in days.
 *
 * Plain doubles, which both C and a CUDA thread understand. The functions that make a density
 * do all that is constant in advance. No switch over kinds has a default, so that compilers name
 * those that forget one. */
#ifndef EQUANT_STATISTICS_PRIOR_DENSITY_H
#define EQUANT_STATISTICS_PRIOR_DENSITY_H

#include <math.h>

#include "physics/lane.h"

typedef enum prior_kind {
    PRIOR_FIXED,
    PRIOR_UNIFORM,
    PRIOR_LOG_UNIFORM,
    PRIOR_MODIFIED_LOG_UNIFORM,
    PRIOR_FALLING_LIMIT,
    PRIOR_NORMAL,
    PRIOR_BETA,
    PRIOR_RAYLEIGH,
    PRIOR_LOG_NORMAL,
    PRIOR_TURNS,
} prior_kind;

typedef struct prior_density {
    prior_kind kind;
    double first, second; /* by the table above                                          */
    double lower, upper;  /* nothing lies outside; may be infinite where the norm allows  */
    double mass;          /* what lies between them before normalisation; for the
                             log-uniform kinds the logarithm of the ratio of the ends      */
    double below;         /* beta alone: what lies below lower                            */
    double log_scale;     /* added to ln of the unnormalised density                      */
} prior_density;

/* ---- the normal distribution between two deviates ------------------------------------- */

/* Probability between z and y > z, without losing that of a far tail. */
LANE_FUNCTION double prior_density_normal_between(double z, double y)
{
    const double root_half = 0.70710678118654752440;
    if (z > 0.0)
        return 0.5 * (erfc(z * root_half) - erfc(y * root_half));
    if (y < 0.0)
        return 0.5 * (erfc(-y * root_half) - erfc(-z * root_half));
    return 0.5 * (erf(y * root_half) - erf(z * root_half));
}

/* ---- the incomplete beta function ----------------------------------------------------- */

LANE_FUNCTION double prior_density_log_beta(double alpha, double beta)
{
    return lgamma(alpha) + lgamma(beta) - lgamma(alpha + beta);
}

/* The continued fraction of Abramowitz & Stegun 26.5.8, from the front by the method of Lentz;
 * it converges fast below x = (alpha + 1) / (alpha + beta + 2). */
LANE_FUNCTION double prior_density_beta_fraction(double x, double alpha, double beta)
{
    const double tiny = 1e-300, close = 1e-16;
    double c = 1.0, d = 1.0 - (alpha + beta) * x / (alpha + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m <= 10000; m++) {
        double even = m * (beta - m) * x / ((alpha + 2 * m - 1.0) * (alpha + 2 * m));
        double odd =
            -(alpha + m) * (alpha + beta + m) * x / ((alpha + 2 * m) * (alpha + 2 * m + 1.0));
        double step = 1.0;
        for (int half = 0; half < 2; half++) {
            double term = half == 0 ? even : odd;
            d = 1.0 + term * d;
            c = 1.0 + term / c;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            step = c * d;
            value *= step;
        }
        if (fabs(step - 1.0) <= close)
            break;
    }
    return value;
}

/* The regularised incomplete beta function I_x(alpha, beta). */
LANE_FUNCTION double prior_density_beta_below(double x, double alpha, double beta)
{
    if (!(x > 0.0))
        return 0.0;
    if (!(x < 1.0))
        return 1.0;
    double front = exp(alpha * log(x) + beta * log1p(-x) - prior_density_log_beta(alpha, beta));
    if (x < (alpha + 1.0) / (alpha + beta + 2.0))
        return front * prior_density_beta_fraction(x, alpha, beta) / alpha;
    return 1.0 - front * prior_density_beta_fraction(1.0 - x, beta, alpha) / beta;
}

/* ---- making densities ----------------------------------------------------------------- */

LANE_FUNCTION prior_density prior_density_fixed(double value)
{
    prior_density made = {PRIOR_FIXED, value, 0.0, value, value, 1.0, 0.0, 0.0};
    return made;
}

LANE_FUNCTION prior_density prior_density_uniform(double lower, double upper)
{
    double mass = upper - lower;
    prior_density made = {PRIOR_UNIFORM, 0.0, 0.0, lower, upper, mass, 0.0, -log(mass)};
    return made;
}

LANE_FUNCTION prior_density prior_density_log_uniform(double lower, double upper)
{
    double mass = log(upper / lower);
    prior_density made = {PRIOR_LOG_UNIFORM, 0.0, 0.0, lower, upper, mass, 0.0, -log(mass)};
    return made;
}

LANE_FUNCTION prior_density prior_density_modified_log_uniform(double knee, double lower,
                                                               double upper)
{
    double mass = log1p((upper - lower) / (knee + lower));
    prior_density made = {
        PRIOR_MODIFIED_LOG_UNIFORM, knee, 0.0, lower, upper, mass, 0.0, -log(mass)};
    return made;
}

/* `upper` is the limit of a circular orbit of `period_days`. */
LANE_FUNCTION prior_density prior_density_falling_limit(double knee, double upper,
                                                        double period_days)
{
    prior_density made = prior_density_modified_log_uniform(knee, 0.0, upper);
    made.kind = PRIOR_FALLING_LIMIT;
    made.second = period_days;
    return made;
}

LANE_FUNCTION prior_density prior_density_normal(double mean, double sigma, double lower,
                                                 double upper)
{
    const double log_root_two_pi = 0.91893853320467274178;
    double mass = prior_density_normal_between((lower - mean) / sigma, (upper - mean) / sigma);
    prior_density made = {PRIOR_NORMAL, mean, sigma, lower,
                          upper,        mass, 0.0,   -log(mass) - log(sigma) - log_root_two_pi};
    return made;
}

LANE_FUNCTION prior_density prior_density_beta(double alpha, double beta, double lower,
                                               double upper)
{
    double below = prior_density_beta_below(lower, alpha, beta);
    double mass = prior_density_beta_below(upper, alpha, beta) - below;
    prior_density made = {
        PRIOR_BETA, alpha, beta,  lower,
        upper,      mass,  below, -log(mass) - prior_density_log_beta(alpha, beta)};
    return made;
}

LANE_FUNCTION prior_density prior_density_rayleigh(double scale, double lower, double upper)
{
    double mass = -expm1(-(upper - lower) * (upper + lower) / (2.0 * scale * scale));
    double log_scale = lower * lower / (2.0 * scale * scale) - log(mass) - 2.0 * log(scale);
    prior_density made = {PRIOR_RAYLEIGH, scale, 0.0, lower, upper, mass, 0.0, log_scale};
    return made;
}

/* Normal in ln x, where a lower end of zero is none. */
LANE_FUNCTION prior_density prior_density_log_normal(double mu, double sigma, double lower,
                                                     double upper)
{
    prior_density made = prior_density_normal(mu, sigma, log(lower), log(upper));
    made.kind = PRIOR_LOG_NORMAL;
    made.lower = lower;
    made.upper = upper;
    return made;
}

LANE_FUNCTION prior_density prior_density_turns(double lower, double upper)
{
    prior_density made = prior_density_log_uniform(lower, upper);
    made.kind = PRIOR_TURNS;
    return made;
}

/* A density of any kind, from what the table above says of it. Bounds that are no matter of choice,
 * such as the lower one of a falling limit, are not looked at. */
LANE_FUNCTION prior_density prior_density_make(prior_kind kind, double first, double second,
                                               double lower, double upper)
{
    switch (kind) {
    case PRIOR_FIXED:
        return prior_density_fixed(first);
    case PRIOR_UNIFORM:
        return prior_density_uniform(lower, upper);
    case PRIOR_LOG_UNIFORM:
        return prior_density_log_uniform(lower, upper);
    case PRIOR_MODIFIED_LOG_UNIFORM:
        return prior_density_modified_log_uniform(first, lower, upper);
    case PRIOR_FALLING_LIMIT:
        return prior_density_falling_limit(first, upper, second);
    case PRIOR_NORMAL:
        return prior_density_normal(first, second, lower, upper);
    case PRIOR_BETA:
        return prior_density_beta(first, second, lower, upper);
    case PRIOR_RAYLEIGH:
        return prior_density_rayleigh(first, lower, upper);
    case PRIOR_LOG_NORMAL:
        return prior_density_log_normal(first, second, lower, upper);
    case PRIOR_TURNS:
        return prior_density_turns(lower, upper);
    }
    return prior_density_fixed(NAN); /* no such kind */
}

/* Whether parameters and bounds make a density: false for a range without width or without
 * probability, for a scale that is not positive, and where anything is not a number. */
LANE_FUNCTION int prior_density_is_proper(const prior_density *prior)
{
    double lower = prior->lower, upper = prior->upper;
    if (prior->kind == PRIOR_FIXED)
        return isfinite(prior->first);
    if (!(lower < upper) || !(prior->mass > 0.0) || !isfinite(prior->mass) ||
        !isfinite(prior->log_scale))
        return 0;
    switch (prior->kind) {
    case PRIOR_FIXED:
    case PRIOR_UNIFORM:
        return 1;
    case PRIOR_LOG_UNIFORM:
    case PRIOR_TURNS:
        return lower > 0.0;
    case PRIOR_MODIFIED_LOG_UNIFORM:
        return prior->first > 0.0 && lower >= 0.0;
    case PRIOR_FALLING_LIMIT:
        return prior->first > 0.0 && prior->second > 0.0 && isfinite(prior->second);
    case PRIOR_NORMAL:
        return prior->second > 0.0;
    case PRIOR_BETA:
        return prior->first > 0.0 && prior->second > 0.0 && lower >= 0.0 && upper <= 1.0;
    case PRIOR_RAYLEIGH:
        return prior->first > 0.0 && lower >= 0.0;
    case PRIOR_LOG_NORMAL:
        return prior->second > 0.0 && lower >= 0.0;
    }
    return 0; /* no such kind */
}

/* ---- using them ----------------------------------------------------------------------- */

/* The density of K alone that the falling limit means for an orbit; others stay as they are. */
LANE_FUNCTION prior_density prior_density_at_orbit(const prior_density *prior, double period_days,
                                                   double eccentricity)
{
    if (prior->kind != PRIOR_FALLING_LIMIT)
        return *prior;
    double axis_ratio = sqrt((1.0 - eccentricity) * (1.0 + eccentricity));
    double upper = prior->upper * cbrt(prior->second / period_days) / axis_ratio;
    return prior_density_modified_log_uniform(prior->first, 0.0, upper);
}

/* The density in days that turns mean at a period; others stay as they are. */
LANE_FUNCTION prior_density prior_density_at_period(const prior_density *prior, double period_days)
{
    if (prior->kind != PRIOR_TURNS)
        return *prior;
    return prior_density_log_uniform(prior->lower * period_days, prior->upper * period_days);
}

/* ln of the normalised density, -INFINITY outside the bounds and for NaN. That of a fixed value
 * is 0: it has no density, and takes no part in products of them. */
LANE_CALL double prior_density_log(const prior_density *prior, double x)
{
    if (!(x >= prior->lower && x <= prior->upper))
        return -INFINITY;
    double deviate;
    switch (prior->kind) {
    case PRIOR_FIXED:
    case PRIOR_UNIFORM:
        return prior->log_scale;
    case PRIOR_LOG_UNIFORM:
    case PRIOR_TURNS:
        return prior->log_scale - log(x);
    case PRIOR_MODIFIED_LOG_UNIFORM:
    case PRIOR_FALLING_LIMIT:
        return prior->log_scale - log(x + prior->first);
    case PRIOR_NORMAL:
        deviate = (x - prior->first) / prior->second;
        return prior->log_scale - 0.5 * deviate * deviate;
    case PRIOR_BETA:
        /* A power of zero drops out, at the ends too, where 0 ln 0 would be NaN. */
        return prior->log_scale + (prior->first == 1.0 ? 0.0 : (prior->first - 1.0) * log(x)) +
               (prior->second == 1.0 ? 0.0 : (prior->second - 1.0) * log1p(-x));
    case PRIOR_RAYLEIGH:
        deviate = x / prior->first;
        return prior->log_scale + log(x) - 0.5 * deviate * deviate;
    case PRIOR_LOG_NORMAL:
        deviate = (log(x) - prior->first) / prior->second;
        return x > 0.0 ? prior->log_scale - log(x) - 0.5 * deviate * deviate : -INFINITY;
    }
    return NAN; /* no such kind */
}

/* The derivative of that by x, inside the bounds. */
LANE_CALL double prior_density_log_slope(const prior_density *prior, double x)
{
    switch (prior->kind) {
    case PRIOR_FIXED:
    case PRIOR_UNIFORM:
        return 0.0;
    case PRIOR_LOG_UNIFORM:
    case PRIOR_TURNS:
        return -1.0 / x;
    case PRIOR_MODIFIED_LOG_UNIFORM:
    case PRIOR_FALLING_LIMIT:
        return -1.0 / (x + prior->first);
    case PRIOR_NORMAL:
        return (prior->first - x) / (prior->second * prior->second);
    case PRIOR_BETA:
        return (prior->first == 1.0 ? 0.0 : (prior->first - 1.0) / x) -
               (prior->second == 1.0 ? 0.0 : (prior->second - 1.0) / (1.0 - x));
    case PRIOR_RAYLEIGH:
        return 1.0 / x - x / (prior->first * prior->first);
    case PRIOR_LOG_NORMAL:
        return (-1.0 - (log(x) - prior->first) / (prior->second * prior->second)) / x;
    }
    return NAN; /* no such kind */
}

/* How the logarithm of the density of K at an orbit changes with the end of its range, which the
 * orbit moves. */
LANE_FUNCTION double prior_density_log_slope_of_end(const prior_density *at_orbit)
{
    return -1.0 / (at_orbit->mass * (at_orbit->first + at_orbit->upper));
}

/* Probability below x. */
LANE_FUNCTION double prior_density_cumulative(const prior_density *prior, double x)
{
    double lower = prior->lower;
    if (!(x > lower))
        return x <= lower ? (prior->kind == PRIOR_FIXED && x == lower) : NAN;
    if (!(x < prior->upper))
        return 1.0;
    switch (prior->kind) {
    case PRIOR_FIXED:
        return 1.0;
    case PRIOR_UNIFORM:
        return (x - lower) / prior->mass;
    case PRIOR_LOG_UNIFORM:
    case PRIOR_TURNS:
        return log(x / lower) / prior->mass;
    case PRIOR_MODIFIED_LOG_UNIFORM:
    case PRIOR_FALLING_LIMIT:
        return log1p((x - lower) / (prior->first + lower)) / prior->mass;
    case PRIOR_NORMAL:
        return prior_density_normal_between((lower - prior->first) / prior->second,
                                            (x - prior->first) / prior->second) /
               prior->mass;
    case PRIOR_BETA:
        return (prior_density_beta_below(x, prior->first, prior->second) - prior->below) /
               prior->mass;
    case PRIOR_RAYLEIGH:
        return -expm1(-(x - lower) * (x + lower) / (2.0 * prior->first * prior->first)) /
               prior->mass;
    case PRIOR_LOG_NORMAL:
        return prior_density_normal_between((log(lower) - prior->first) / prior->second,
                                            (log(x) - prior->first) / prior->second) /
               prior->mass;
    }
    return NAN; /* no such kind */
}

/* The root of cumulative(x) = probability by Newton's steps, halving the bracket where one would
 * leave it. */
LANE_FUNCTION double prior_density_solve_quantile(const prior_density *prior, double probability)
{
    /* Beyond 40 sigma a normal distribution has no double left. */
    double reach = prior->kind == PRIOR_NORMAL ? 40.0 * prior->second : 1.0;
    double centre = prior->kind == PRIOR_NORMAL ? prior->first : 0.0;
    double low = fmax(prior->lower, fmin(centre - reach, prior->upper - reach));
    double high = fmin(prior->upper, fmax(centre + reach, prior->lower + reach));
    double x = 0.5 * (low + high);
    for (int i = 0; i < 200; i++) {
        double excess = prior_density_cumulative(prior, x) - probability;
        if (excess > 0.0)
            high = x;
        else
            low = x;
        double next = x - excess * exp(-prior_density_log(prior, x));
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        double step = fabs(next - x);
        x = next;
        if (step <= 1e-16 * fabs(x))
            break;
    }
    return x;
}

/* The value below which `probability` in (0, 1) lies: a uniform draw becomes one of the prior. */
LANE_CALL double prior_density_quantile(const prior_density *prior, double probability)
{
    double lower = prior->lower, twice_square = 2.0 * prior->first * prior->first, x = NAN;
    prior_density of_logarithm;
    switch (prior->kind) {
    case PRIOR_FIXED:
        return prior->first;
    case PRIOR_UNIFORM:
        x = lower + probability * prior->mass;
        break;
    case PRIOR_LOG_UNIFORM:
    case PRIOR_TURNS:
        x = lower * exp(probability * prior->mass);
        break;
    case PRIOR_MODIFIED_LOG_UNIFORM:
    case PRIOR_FALLING_LIMIT:
        x = lower + (prior->first + lower) * expm1(probability * prior->mass);
        break;
    case PRIOR_NORMAL:
    case PRIOR_BETA:
        x = prior_density_solve_quantile(prior, probability);
        break;
    case PRIOR_RAYLEIGH:
        x = sqrt(lower * lower - twice_square * log1p(-probability * prior->mass));
        break;
    case PRIOR_LOG_NORMAL:
        of_logarithm =
            prior_density_normal(prior->first, prior->second, log(lower), log(prior->upper));
        x = exp(prior_density_solve_quantile(&of_logarithm, probability));
        break;
    }
    return fmin(fmax(x, lower), prior->upper); /* rounding may step over an end */
}

#endif
