/* Is this sample from that distribution? Kolmogorov and Smirnov's distance, for
 * the tests of random numbers and random orbits. */
#ifndef EQUANT_TESTS_DISTRIBUTION_CHECKS_H
#define EQUANT_TESTS_DISTRIBUTION_CHECKS_H

#include <math.h>
#include <stdlib.h>

/* sqrt(n) D exceeds this for one honest sample in ten thousand. Seeds are fixed,
 * so a test that passes once passes always. */
#define KOLMOGOROV_LIMIT 2.23

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* sqrt(n) times the largest gap between the sample's distribution function and the
 * uniform one on (0, 1). Sorts the sample. */
static double kolmogorov_distance(size_t n, double *sample)
{
    qsort(sample, n, sizeof *sample, compare_doubles);
    double distance = 0.0;
    for (size_t i = 0; i < n; i++) {
        double above = (double)(i + 1) / (double)n - sample[i];
        double under = sample[i] - (double)i / (double)n;
        distance = fmax(distance, fmax(above, under));
    }
    return distance * sqrt((double)n);
}

#endif
