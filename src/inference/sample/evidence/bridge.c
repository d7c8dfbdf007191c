#include "inference/sample/evidence/bridge.h"

#include <math.h>

enum { MOST_ROUNDS = 1000 };
#define CLOSE 1e-10 /* in ln Z */

/* ln of the mean of p / q over draws of q: importance sampling, where the rounds begin. */
static double importance_log_evidence(size_t n, const double *log_ratios)
{
    double largest = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, log_ratios[i]);
    if (!isfinite(largest))
        return NAN;
    for (size_t i = 0; i < n; i++)
        sum += exp(log_ratios[i] - largest);
    return largest + log(sum / (double)n);
}

/* ln of 1 / (s_p r + s_q), r being p / (q Z) by its logarithm. */
static double log_weight(double log_r, double share_p, double share_q)
{
    double a = log(share_p) + log_r, b = log(share_q), largest = fmax(a, b);
    return -(largest + log(exp(a - largest) + exp(b - largest)));
}

/* ln of the mean over some draws of h p / Z or of h q, in units of q. */
static double log_mean(size_t n, const double *log_ratios, double log_z, double share_p,
                       double share_q, int times_p)
{
    double largest = -INFINITY, sum = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            double log_r = log_ratios[i] - log_z;
            if (times_p && log_r == -INFINITY)
                continue;
            double term = log_weight(log_r, share_p, share_q) + (times_p ? log_r : 0.0);
            if (pass == 0)
                largest = fmax(largest, term);
            else
                sum += exp(term - largest);
        }
    return isfinite(largest) ? largest + log(sum / (double)n) : NAN;
}

double bridge_log_evidence(size_t n_posterior, const double *at_posterior, double worth,
                           size_t n_guide, const double *at_guide)
{
    if (n_posterior == 0 || n_guide == 0)
        return NAN;
    double all = worth + (double)n_guide, share_p = worth / all, share_q = (double)n_guide / all;
    double log_z = importance_log_evidence(n_guide, at_guide);
    for (int round = 0; round < MOST_ROUNDS && isfinite(log_z); round++) {
        double step = log_mean(n_guide, at_guide, log_z, share_p, share_q, 1) -
                      log_mean(n_posterior, at_posterior, log_z, share_p, share_q, 0);
        log_z += step;
        if (fabs(step) < CLOSE)
            return log_z;
    }
    return NAN;
}
