/* Mean and covariance of a set of walkers, for independence proposals. Sums are taken over slices
 * of walkers, which are added in order: the result is the same to the bit on any number of threads.
 *
 * Angles are averaged the short way round from the first walker: for angles all over the circle
 * that is as good a centre as any. */
#ifndef EQUANT_STATISTICS_ENSEMBLE_GUIDE_H
#define EQUANT_STATISTICS_ENSEMBLE_GUIDE_H

#include "statistics/ensemble_moves.h"

#define ENSEMBLE_GUIDE_SLICE 64 /* walkers */

/* A pivot below this share of the variance is rounding. */
#define ENSEMBLE_GUIDE_LEAST_PIVOT 1e-12

LANE_FUNCTION size_t ensemble_guide_n_slices(size_t n_walkers)
{
    return (n_walkers + ENSEMBLE_GUIDE_SLICE - 1) / ENSEMBLE_GUIDE_SLICE;
}

LANE_FUNCTION size_t ensemble_guide_slice_end(size_t n_walkers, size_t slice)
{
    size_t end = (slice + 1) * ENSEMBLE_GUIDE_SLICE;
    return end < n_walkers ? end : n_walkers;
}

/* The sum over a slice of how far walkers are from the first one, in coordinate j. */
LANE_FUNCTION double ensemble_guide_sum(size_t d, const unsigned char *is_angle, size_t n,
                                        const double *walkers, size_t j, size_t slice)
{
    double sum = 0.0;
    for (size_t i = slice * ENSEMBLE_GUIDE_SLICE; i < ensemble_guide_slice_end(n, slice); i++)
        sum += ensemble_moves_between(is_angle[j], walkers[j], walkers[i * d + j]);
    return sum;
}

/* The centre from that sum over all slices. */
LANE_FUNCTION double ensemble_guide_centre(int is_angle, double first, double sum, size_t n)
{
    double centre = first + sum / (double)n;
    return is_angle ? ensemble_moves_wrap(centre) : centre;
}

/* The sum over a slice of products of distances from the centre, in coordinates j and k. */
LANE_FUNCTION double ensemble_guide_product(size_t d, const unsigned char *is_angle, size_t n,
                                            const double *walkers, const double *centre, size_t j,
                                            size_t k, size_t slice)
{
    double sum = 0.0;
    for (size_t i = slice * ENSEMBLE_GUIDE_SLICE; i < ensemble_guide_slice_end(n, slice); i++)
        sum += ensemble_moves_between(is_angle[j], centre[j], walkers[i * d + j]) *
               ensemble_moves_between(is_angle[k], centre[k], walkers[i * d + k]);
    return sum;
}

/* One step of a Cholesky factorisation of a packed lower triangle, whose columns below j are
 * those of the factor already: what is left of entry (i, j). */
LANE_FUNCTION double ensemble_guide_left(const double *triangle, size_t i, size_t j)
{
    const double *row = triangle + i * (i + 1) / 2, *above = triangle + j * (j + 1) / 2;
    double left = row[j];
    for (size_t k = 0; k < j; k++)
        left -= row[k] * above[k];
    return left;
}

/* Whether what is left of a variance is a pivot: walkers may not span the space. */
LANE_FUNCTION int ensemble_guide_is_pivot(double left, double variance)
{
    return left > ENSEMBLE_GUIDE_LEAST_PIVOT * variance && left < INFINITY;
}

#endif
