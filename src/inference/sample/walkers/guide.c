/* Fits of Gaussians to walkers. */
#include "inference/sample/walkers/guide.h"

#include <math.h>
#include <string.h>

#include "statistics/ensemble_guide.h"

size_t guide_scratch(size_t d)
{
    return d + d * (d + 1) / 2;
}

static void find_centre(size_t d, const unsigned char *is_angle, size_t n, const double *walkers,
                        double *centre)
{
    for (size_t j = 0; j < d; j++) {
        double sum = 0.0;
        for (size_t slice = 0; slice < ensemble_guide_n_slices(n); slice++)
            sum += ensemble_guide_sum(d, is_angle, n, walkers, j, slice);
        centre[j] = ensemble_guide_centre(is_angle[j], walkers[j], sum, n);
    }
}

static void add_products(size_t d, const double *vector, double *triangle)
{
    for (size_t i = 0; i < d; triangle += ++i)
        for (size_t j = 0; j <= i; j++)
            triangle[j] += vector[i] * vector[j];
}

/* Adds what ensemble_guide_product has for all pairs of coordinates: the same sums, walker by
 * walker. */
static void add_slice(size_t d, const unsigned char *is_angle, size_t n, const double *walkers,
                      const double *centre, size_t slice, double *triangle, double *scratch)
{
    const size_t n_entries = d * (d + 1) / 2;
    double *from_centre = scratch, *sums = scratch + d;
    memset(sums, 0, n_entries * sizeof *sums);
    for (size_t i = slice * ENSEMBLE_GUIDE_SLICE; i < ensemble_guide_slice_end(n, slice); i++) {
        for (size_t j = 0; j < d; j++)
            from_centre[j] = ensemble_moves_between(is_angle[j], centre[j], walkers[i * d + j]);
        add_products(d, from_centre, sums);
    }
    for (size_t k = 0; k < n_entries; k++)
        triangle[k] += sums[k];
}

/* Replaces a packed lower triangle by its Cholesky factor. */
static bool factorise(size_t d, double *triangle)
{
    for (size_t j = 0; j < d; j++) {
        double *diagonal = triangle + j * (j + 1) / 2 + j;
        double left = ensemble_guide_left(triangle, j, j);
        if (!ensemble_guide_is_pivot(left, *diagonal))
            return false;
        *diagonal = sqrt(left);
        for (size_t i = j + 1; i < d; i++)
            triangle[i * (i + 1) / 2 + j] = ensemble_guide_left(triangle, i, j) / *diagonal;
    }
    return true;
}

bool guide_fit(size_t d, const unsigned char *is_angle, size_t n_walkers, const double *walkers,
               double *centre, double *factor, double *scratch)
{
    const size_t n_entries = d * (d + 1) / 2;
    find_centre(d, is_angle, n_walkers, walkers, centre);
    memset(factor, 0, n_entries * sizeof *factor);
    for (size_t slice = 0; slice < ensemble_guide_n_slices(n_walkers); slice++)
        add_slice(d, is_angle, n_walkers, walkers, centre, slice, factor, scratch);
    for (size_t k = 0; k < n_entries; k++)
        factor[k] /= (double)n_walkers;
    return factorise(d, factor);
}
