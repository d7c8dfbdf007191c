#include "posteriors/draw_density.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = DRAW_DENSITY_BINS, REACH = 4 };

/* Bins; hides the noise of some hundred effective draws, and no feature of a posterior. */
static const double smoothing = 1.2;

/* The bin of a value; -1 when it is beyond the axis. */
static int bin_of(const struct posterior_column *column, double value)
{
    double place = (value - column->low) / (column->high - column->low) * N;
    if (!(place >= 0.0 && place <= (double)N))
        return -1;
    return place < N ? (int)place : N - 1;
}

/* Along a line of bins that are `step` apart in memory. Weights beyond the ends are missing from
 * both sums: a density that ends at e = 0 stays high there. */
static void smooth(double *line, size_t step)
{
    double smoothed[N];
    for (int i = 0; i < N; i++) {
        double sum = 0.0, weights = 0.0;
        for (int j = i - REACH; j <= i + REACH; j++) {
            double distance = (double)(j - i) / smoothing;
            double weight = exp(-0.5 * distance * distance);
            if (j < 0 || j >= N)
                continue;
            sum += weight * line[(size_t)j * step];
            weights += weight;
        }
        smoothed[i] = sum / weights;
    }
    for (size_t i = 0; i < N; i++)
        line[i * step] = smoothed[i];
}

static void normalise(double *heights, size_t n)
{
    double highest = 0.0;
    for (size_t i = 0; i < n; i++)
        highest = fmax(highest, heights[i]);
    for (size_t i = 0; i < n && highest > 0.0; i++)
        heights[i] /= highest;
}

void draw_density_single(size_t n, const struct posterior_column *column, double heights[N])
{
    memset(heights, 0, N * sizeof *heights);
    for (size_t i = 0; i < n; i++) {
        int bin = bin_of(column, column->values[i]);
        if (bin >= 0)
            heights[bin] += 1.0;
    }
    normalise(heights, N);
}

void draw_density_pair(size_t n, const struct posterior_column *across,
                       const struct posterior_column *up, struct draw_density *density)
{
    memset(density, 0, sizeof *density);
    for (size_t i = 0; i < n; i++) {
        int column = bin_of(across, across->values[i]), row = bin_of(up, up->values[i]);
        if (column >= 0 && row >= 0)
            density->heights[row][column] += 1.0;
    }
    for (size_t i = 0; i < N; i++)
        smooth(density->heights[i], 1);
    for (size_t i = 0; i < N; i++)
        smooth(&density->heights[0][i], N);
    normalise(&density->heights[0][0], (size_t)N * N);
}

static int compare_falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

double draw_density_level(const struct draw_density *density, double share)
{
    double sorted[N * N], total = 0.0, sum = 0.0;
    memcpy(sorted, density->heights, sizeof sorted);
    qsort(sorted, (size_t)N * N, sizeof *sorted, compare_falling);
    for (size_t i = 0; i < (size_t)N * N; i++)
        total += sorted[i];
    size_t i = 0;
    while (i + 1 < (size_t)N * N && (sum += sorted[i]) < share * total)
        i++;
    return sorted[i];
}
