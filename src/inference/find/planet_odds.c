/* With n planets and with n - 1 the evidences are, by Laplace's method,
 *
 *   Z = L x share x prod over all other parameters of sqrt(2 pi) error / range,
 *
 * `share` the part of the prior of the planet in which orbits do as well as the best
 * (orbit_mass.h). The ranges of the others cancel in the ratio; their errors do not: noise that
 * shrinks by a factor with the planet takes them along, which for few observations is as much as
 * the difference between N and N - p in the estimate of a variance. */
#include "inference/find/planet_odds.h"

#include <math.h>

/* The mean over the observations of ln of the noise of a model. */
static double log_noise(const study *star, const solution *fitted)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    const int *made_by = equant_dataset_instruments(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < star->n_obs; k++)
        sum += log(hypot(sigma[k], solution_restlessness(star, fitted, (size_t)made_by[k])));
    return sum / (double)star->n_obs;
}

/* Parameters of the velocity that both models have. */
static double n_common(const study *star, const solution *with, const solution *without)
{
    int trend_order =
        with->trend_order < without->trend_order ? with->trend_order : without->trend_order;
    return (double)(star->n_instruments + (size_t)trend_order + N_ELEMENTS * (with->n_planets - 1));
}

double planet_odds_gain(const study *star, const solution *with, const solution *without)
{
    double narrowed = log_noise(star, with) - log_noise(star, without);
    return solution_gain_in_likelihood(star, with, without) +
           fmin(0.0, narrowed) * n_common(star, with, without);
}

double planet_odds_share(const study *star, const alias_family *family)
{
    return family->log_share - log(log(star->period_max_days / star->period_min_days));
}

double planet_odds_probability(double log_odds)
{
    return 1.0 / (1.0 + exp(-log_odds));
}

double planet_odds_false_inclusion(double log_odds)
{
    return planet_odds_probability(-log_odds);
}
