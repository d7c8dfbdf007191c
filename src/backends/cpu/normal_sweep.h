/* One step of solving normal equations in place. */
#ifndef EQUANT_BACKENDS_CPU_NORMAL_SWEEP_H
#define EQUANT_BACKENDS_CPU_NORMAL_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

/* Solves for column `pivot` (Goodnight 1979, The American Statistician 33, 149): entries of
 * columns not solved for become those of what is left of them beside it, and row `pivot`
 * the multiples of it that were taken away. One that is negligible against `scale`, what
 * its diagonal was before anything was solved for, is not determined: nothing is taken. */
static inline void normal_sweep(double *matrix, size_t size, size_t pivot, double scale)
{
    const double negligible = 1e-12;
    double *row = matrix + pivot * size;
    bool determined = row[pivot] > negligible * scale;
    double inverse = determined ? 1.0 / row[pivot] : 0.0;
    for (size_t i = 0; i < size; i++) {
        if (i == pivot)
            continue;
        double *other = matrix + i * size, factor = other[pivot] * inverse;
        for (size_t j = 0; determined && j < size; j++)
            other[j] -= factor * row[j];
        other[pivot] = factor;
    }
    for (size_t j = 0; j < size; j++)
        row[j] = j == pivot ? -inverse : row[j] * inverse;
}

#endif
