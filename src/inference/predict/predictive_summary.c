#include "inference/predict/predictive_summary.h"

#include <math.h>

enum { N_QUANTILES = 5 };

/* Of the spread of draws. */
#define SMOOTHING 0.05

predictive_summary predictive_summary_of(const mixture_facts *facts, const mixture_grid *grid)
{
    static const double shares[N_QUANTILES] = {0.022750131948179, 0.158655253931457, 0.5,
                                               0.841344746068543, 0.977249868051821};
    double quantiles[N_QUANTILES];
    mixture_quantiles(grid, N_QUANTILES, shares, quantiles);
    double information = facts->entropy - facts->within_draws + facts->bias_of_draws;
    predictive_summary made = {.mean = facts->mean,
                               .deviation = facts->deviation,
                               .low_95 = quantiles[0],
                               .low_68 = quantiles[1],
                               .median = quantiles[2],
                               .high_68 = quantiles[3],
                               .high_95 = quantiles[4],
                               .entropy = facts->entropy,
                               .information = fmax(information, 0.0)};
    made.n_modes = mixture_modes(grid, PREDICTIVE_MOST_MODES, made.modes);
    return made;
}

double predictive_summary_smoothing(size_t n, const double *means)
{
    double mean = 0.0, spread = 0.0;
    for (size_t i = 0; i < n; i++)
        mean += means[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        spread += (means[i] - mean) * (means[i] - mean) / (double)n;
    return SMOOTHING * SMOOTHING * spread + 1e-12;
}
