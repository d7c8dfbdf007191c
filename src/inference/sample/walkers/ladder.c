/* Ladders of temperatures, from the rejections of swaps. */
#include "inference/sample/walkers/ladder.h"

#include <math.h>

/* The last rung above a prior to begin with: log-likelihoods rarely spread over more. */
#define LEAST_FIRST_BETA 1e-4

/* Rejections count as no less than this, so that no two rungs fall together. */
#define LEAST_REJECTION 1e-3

enum { N_HALVINGS = 60 };

void ladder_begin(size_t n_rungs, double hottest, double *beta)
{
    size_t n_geometric = hottest > 0.0 ? n_rungs : n_rungs - 1;
    double last = hottest > 0.0 ? hottest : LEAST_FIRST_BETA;
    beta[0] = 1.0;
    for (size_t k = 1; k < n_geometric; k++)
        beta[k] = pow(last, (double)k / (double)(n_geometric - 1));
    if (n_rungs > 1)
        beta[n_rungs - 1] = hottest;
}

/* The slopes at the knots of the monotone cubic of Fritsch & Butland (1984, SIAM J. Sci. Stat.
 * Comput. 5, 300): harmonic means of those of the two sides. */
static void find_slopes(size_t n, const double *x, const double *y, double *slope)
{
    slope[0] = (y[1] - y[0]) / (x[1] - x[0]);
    slope[n - 1] = (y[n - 1] - y[n - 2]) / (x[n - 1] - x[n - 2]);
    for (size_t k = 1; k + 1 < n; k++) {
        double before = x[k] - x[k - 1], after = x[k + 1] - x[k];
        double left = (y[k] - y[k - 1]) / before, right = (y[k + 1] - y[k]) / after;
        double share = (before + 2.0 * after) / (3.0 * (before + after));
        slope[k] = left * right / (share * right + (1.0 - share) * left);
    }
}

/* The cubic between two knots, at a fraction t of the way. */
static double cubic(double width, const double *y, const double *slope, double t)
{
    double s = 1.0 - t;
    return s * s * ((1.0 + 2.0 * t) * y[0] + t * width * slope[0]) +
           t * t * ((3.0 - 2.0 * t) * y[1] - s * width * slope[1]);
}

static double invert(double width, const double *y, const double *slope, double wanted)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < N_HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (cubic(width, y, slope, middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

void ladder_respace(size_t n_rungs, const double *rejection, double *beta, double *scratch)
{
    double *knot = scratch, *barrier = scratch + n_rungs, *slope = scratch + 2 * n_rungs;
    if (n_rungs < 3)
        return;
    /* From hot to cold, so that the barrier grows with beta. */
    for (size_t k = 0; k < n_rungs; k++) {
        knot[k] = beta[n_rungs - 1 - k];
        barrier[k] =
            k == 0 ? 0.0 : barrier[k - 1] + fmax(rejection[n_rungs - 1 - k], LEAST_REJECTION);
    }
    find_slopes(n_rungs, knot, barrier, slope);
    for (size_t k = 1, segment = 0; k + 1 < n_rungs; k++) {
        double wanted = barrier[n_rungs - 1] * (double)k / (double)(n_rungs - 1);
        while (barrier[segment + 1] < wanted)
            segment++;
        double width = knot[segment + 1] - knot[segment];
        beta[n_rungs - 1 - k] =
            knot[segment] + width * invert(width, barrier + segment, slope + segment, wanted);
    }
}
