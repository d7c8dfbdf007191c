#include "quad_sky.h"

#include <math.h>
#include <quadmath.h>
#include <stdlib.h>

#include "quad_kepler.h"
#include "quad_least_squares.h"

void quad_sky_place(__float128 mean_anomaly, __float128 eccentricity, __float128 *x, __float128 *y)
{
    quad_kepler solved = quad_kepler_solve(mean_anomaly, eccentricity);
    *x = solved.cosine - eccentricity;
    *y = sqrtq(1 - eccentricity * eccentricity) * solved.sine;
}

void quad_sky_constants(const __float128 elements[4], __float128 constants[4])
{
    __float128 a0 = elements[0], tilt = cosq(elements[1]);
    __float128 cw = cosq(elements[2]), sw = sinq(elements[2]);
    __float128 co = cosq(elements[3]), so = sinq(elements[3]);
    constants[0] = a0 * (cw * co - sw * so * tilt);
    constants[1] = a0 * (cw * so + sw * co * tilt);
    constants[2] = a0 * (-sw * co - cw * so * tilt);
    constants[3] = a0 * (-sw * so + cw * co * tilt);
}

/* Chi-square of the best sum of the columns. */
static double least(size_t n_rows, size_t n_columns, const __float128 *design,
                    const __float128 *weight, const __float128 *target, __float128 *solution,
                    double *inverse)
{
    double condition;
    if (!quad_least_squares_solve(n_rows, n_columns, design, weight, target, solution, inverse,
                                  &condition))
        return NAN;
    __float128 total = 0;
    for (size_t k = 0; k < n_rows; k++) {
        __float128 miss = target[k];
        for (size_t j = 0; j < n_columns; j++)
            miss -= design[j * n_rows + k] * solution[j];
        total += weight[k] * miss * miss;
    }
    return (double)total;
}

double quad_sky_gain(const quad_sky_source *source, double frequency_per_day, double eccentricity,
                     double m0_rad, double constants[4])
{
    size_t n = source->n_rows, n_base = source->n_base, n_all = n_base + 4;
    __float128 *memory = malloc((n_all + 2) * n * sizeof *memory), solution[QUAD_LEAST_SQUARES_MAX];
    double *inverse = malloc(n_all * n * sizeof *inverse), gain = NAN;
    if (memory && inverse) {
        __float128 *weight = memory + n_all * n, *target = weight + n, x, y;
        for (size_t k = 0; k < n_base * n; k++)
            memory[k] = source->base[k];
        for (size_t k = 0; k < n; k++) {
            __float128 sine = sinq(source->angle_rad[k]), cosine = cosq(source->angle_rad[k]);
            quad_sky_place(2 * M_PIq * frequency_per_day * (__float128)source->time_days[k] +
                               m0_rad,
                           eccentricity, &x, &y);
            memory[n_base * n + k] = x * cosine;
            memory[(n_base + 1) * n + k] = x * sine;
            memory[(n_base + 2) * n + k] = y * cosine;
            memory[(n_base + 3) * n + k] = y * sine;
            weight[k] = 1 / ((__float128)source->uncertainty_mas[k] * source->uncertainty_mas[k]);
            target[k] = source->abscissa_mas[k];
        }
        gain = least(n, n_base, memory, weight, target, solution, inverse) -
               least(n, n_all, memory, weight, target, solution, inverse);
        for (int j = 0; constants != NULL && j < 4; j++)
            constants[j] = (double)solution[n_base + (size_t)j];
    }
    free(inverse);
    free(memory);
    return gain;
}
