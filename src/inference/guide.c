/* Fits of Gaussians to walkers. Angles are averaged the short way round from the first walker:
 * for angles all over the circle that is as good a centre as any. */
#include "inference/guide.h"

#include <math.h>
#include <string.h>

#include "physics/ensemble_moves.h"

/* A pivot below this share of the variance is rounding. */
#define LEAST_PIVOT 1e-12

static void find_centre(size_t d, const unsigned char *is_angle, size_t n, const double *walkers,
                        double *centre, double *mean)
{
    memset(mean, 0, d * sizeof *mean);
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < d; j++)
            mean[j] += ensemble_moves_between(is_angle[j], walkers[j], walkers[i * d + j]);
    for (size_t j = 0; j < d; j++) {
        centre[j] = walkers[j] + mean[j] / (double)n;
        if (is_angle[j])
            centre[j] = ensemble_moves_wrap(centre[j]);
    }
}

static void add_products(size_t d, const double *vector, double *triangle)
{
    for (size_t i = 0; i < d; triangle += ++i)
        for (size_t j = 0; j <= i; j++)
            triangle[j] += vector[i] * vector[j];
}

/* Replaces a packed lower triangle by its Cholesky factor. */
static bool factorise(size_t d, double *triangle)
{
    double *row = triangle;
    for (size_t i = 0; i < d; row += ++i) {
        double variance = row[i];
        const double *above = triangle;
        for (size_t j = 0; j <= i; above += ++j) {
            double left = row[j];
            for (size_t k = 0; k < j; k++)
                left -= row[k] * above[k];
            if (j < i)
                row[j] = left / above[j];
            else if (left > LEAST_PIVOT * variance && left < INFINITY)
                row[i] = sqrt(left);
            else
                return false;
        }
    }
    return true;
}

bool guide_fit(size_t d, const unsigned char *is_angle, size_t n_walkers, const double *walkers,
               double *centre, double *factor, double *scratch)
{
    size_t n_entries = d * (d + 1) / 2;
    find_centre(d, is_angle, n_walkers, walkers, centre, scratch);
    memset(factor, 0, n_entries * sizeof *factor);
    for (size_t i = 0; i < n_walkers; i++) {
        for (size_t j = 0; j < d; j++)
            scratch[j] = ensemble_moves_between(is_angle[j], centre[j], walkers[i * d + j]);
        add_products(d, scratch, factor);
    }
    for (size_t k = 0; k < n_entries; k++)
        factor[k] /= (double)n_walkers;
    return factorise(d, factor);
}
