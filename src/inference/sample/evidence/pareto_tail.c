#include "inference/sample/evidence/pareto_tail.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LEAST_TAIL = 10, TRIALS = 30 };
#define LARGE 10.0 /* times the mean */

static int rising(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The shape k that is best beside a given theta = -k / scale. */
static double shape_at(double theta, size_t n, const double *excess)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += log1p(-theta * excess[i]);
    return sum / (double)n;
}

/* ln of the profile likelihood of theta. */
static double log_likelihood_at(double theta, size_t n, const double *excess)
{
    double shape = shape_at(theta, n, excess);
    return (double)n * (log(-theta / shape) - shape - 1.0);
}

/* Thetas spread by the quantiles of the weak prior of Zhang & Stephens. */
static double trial(size_t j, size_t n_trials, size_t n, const double *excess)
{
    double quartile = excess[(size_t)((double)n / 4.0 + 0.5) - 1];
    return 1.0 / excess[n - 1] +
           (1.0 - sqrt((double)n_trials / ((double)j + 0.5))) / (3.0 * quartile);
}

/* The mean of theta over its profile likelihood; then k, drawn a little towards one half, as few
 * excesses say little. */
static double fit_shape(size_t n, const double *excess)
{
    size_t n_trials = TRIALS + (size_t)sqrt((double)n);
    double largest = -INFINITY, sum = 0.0, mean = 0.0;
    for (size_t j = 0; j < n_trials; j++)
        largest = fmax(largest, log_likelihood_at(trial(j, n_trials, n, excess), n, excess));
    for (size_t j = 0; j < n_trials; j++) {
        double theta = trial(j, n_trials, n, excess);
        double weight = exp(log_likelihood_at(theta, n, excess) - largest);
        sum += weight;
        mean += weight * theta;
    }
    const double drawn = 10.0;
    double shape = shape_at(mean / sum, n, excess), all = (double)n;
    return (all * shape + 0.5 * drawn) / (all + drawn);
}

/* Of weights in rising order. */
static bool has_large(size_t n, const double *log_weights)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += exp(log_weights[i] - log_weights[n - 1]);
    return (double)n >= LARGE * sum;
}

double pareto_tail_shape(size_t n, double *log_weights)
{
    qsort(log_weights, n, sizeof *log_weights, rising);
    bool is_tail = has_large(n, log_weights);
    size_t n_tail = (size_t)ceil(fmin(0.2 * (double)n, 3.0 * sqrt((double)n)));
    if (n_tail < LEAST_TAIL || n_tail + 1 > n)
        return NAN;
    double *tail = log_weights + n - n_tail, top = log_weights[n - 1],
           threshold = exp(tail[-1] - top);
    if (!isfinite(top))
        return NAN;
    for (size_t i = 0; i < n_tail; i++)
        tail[i] = exp(tail[i] - top) - threshold;
    if (!(tail[0] > 0.0)) { /* equal weights at the threshold: the fit wants excesses */
        size_t equal = 0;
        while (equal < n_tail && !(tail[equal] > 0.0))
            equal++;
        tail += equal;
        n_tail -= equal;
    }
    if (n_tail < LEAST_TAIL)
        return -INFINITY;
    double shape = fit_shape(n_tail, tail);
    return is_tail ? shape : fmin(shape, 0.0);
}
