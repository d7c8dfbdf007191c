/* Scans of positions for the tests: random sources, and what a node of them gains, in quadruple
 * precision and by other means than the library's: an iteration for every row and modified
 * Gram-Schmidt over all columns. */
#ifndef CONFORMANCE_SKY_ORACLE_H
#define CONFORMANCE_SKY_ORACLE_H

#include <math.h>
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sky/sky_scan.h"
#include "oracle/quad_kepler.h"

/* A source and the memory behind it. */
typedef struct sky_trial {
    sky_scan_source source;
    double *time, *sine, *cosine, *residual, *base;
} sky_trial;

static inline void *sky_oracle_allocate(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory) {
        fprintf(stderr, "not enough memory for this test\n");
        exit(1);
    }
    return memory;
}

/* Takes from column `n` of [n + 1][n_rows] what it shares with those before it, twice, for what
 * rounding left, and makes its length one; returns the length that was left of one. */
static inline double sky_oracle_orthonormalise(size_t n_rows, size_t n, __float128 *columns)
{
    __float128 *column = columns + n * n_rows, before = 0, after = 0;
    for (size_t k = 0; k < n_rows; k++)
        before += column[k] * column[k];
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < n; j++) {
            __float128 product = 0;
            for (size_t k = 0; k < n_rows; k++)
                product += columns[j * n_rows + k] * column[k];
            for (size_t k = 0; k < n_rows; k++)
                column[k] -= product * columns[j * n_rows + k];
        }
    for (size_t k = 0; k < n_rows; k++)
        after += column[k] * column[k];
    bool independent = after > 1e-50Q * before;
    for (size_t k = 0; k < n_rows; k++)
        column[k] = independent ? column[k] / sqrtq(after) : 0;
    return independent ? (double)sqrtq(after / before) : 0.0;
}

/* X and Y of a node at a time. */
static inline void sky_oracle_orbit(double t, const sky_scan_node *node, __float128 *X,
                                    __float128 *Y)
{
    const __float128 e = node->eccentricity;
    quad_kepler at = quad_kepler_solve(
        2 * M_PIq * (__float128)t * (__float128)node->frequency_per_day + node->m0_rad, e);
    *X = at.cosine - e;
    *Y = sqrtq((1 - e) * (1 + e)) * at.sine;
}

/* The fall of chi-square at one node; *left: the least share of a column that is new. */
static inline double sky_oracle_gain(const sky_scan_source *source, const sky_scan_node *node,
                                     double *left)
{
    size_t n = source->n_rows, n_base = source->n_base;
    __float128 *columns = sky_oracle_allocate((n_base + 4) * n, sizeof *columns), gain = 0;
    for (size_t i = 0; i < n_base * n; i++)
        columns[i] = source->base[i];
    for (size_t k = 0; k < n; k++) {
        __float128 X, Y;
        sky_oracle_orbit(source->time_days[k], node, &X, &Y);
        columns[n_base * n + k] = X * source->sine[k];
        columns[(n_base + 1) * n + k] = Y * source->sine[k];
        columns[(n_base + 2) * n + k] = X * source->cosine[k];
        columns[(n_base + 3) * n + k] = Y * source->cosine[k];
    }
    *left = 1.0;
    for (size_t j = 0; j < n_base + 4; j++) {
        double length = sky_oracle_orthonormalise(n, j, columns);
        *left = j >= n_base && length < *left ? length : *left;
    }
    for (size_t j = n_base; j < n_base + 4; j++) {
        __float128 product = 0;
        for (size_t k = 0; k < n; k++)
            product += columns[j * n + k] * source->residual[k];
        gain += product * product;
    }
    free(columns);
    return (double)gain;
}

static inline sky_scan_node sky_oracle_node(const sky_scan_source *source,
                                            const sky_scan_layer *layer, size_t bin, size_t j,
                                            size_t k)
{
    size_t n_phases = layer->eccentricity > 0 ? layer->n_phases : 1;
    double place = (double)bin + ((double)j + 0.5) / (double)layer->n_frequencies - 0.5;
    return (sky_scan_node){.frequency_per_day =
                               source->first_frequency_per_day + place * source->bin_width_per_day,
                           .eccentricity = layer->eccentricity,
                           .m0_rad = 6.283185307179586 * (double)k / (double)n_phases};
}

/* The best node of a bin. */
static inline sky_scan_node sky_oracle_best(const sky_scan_source *source, size_t n_layers,
                                            const sky_scan_layer *layers, size_t bin)
{
    sky_scan_node best = {.gain = -1};
    double left, centre = source->first_frequency_per_day + (double)bin * source->bin_width_per_day;
    for (size_t l = 0; l < n_layers; l++) {
        double highest = layers[l].highest_frequency_per_day;
        if (bin >= layers[l].n_bins || (highest > 0 && centre > highest))
            continue;
        for (size_t j = 0; j < layers[l].n_frequencies; j++)
            for (size_t k = 0; k < (layers[l].eccentricity > 0 ? layers[l].n_phases : 1); k++) {
                sky_scan_node node = sky_oracle_node(source, &layers[l], bin, j, k);
                node.gain = sky_oracle_gain(source, &node, &left);
                best = node.gain > best.gain ? node : best;
            }
    }
    return best;
}

/* Columns of a base as that of a star: place, motion, parallax, then harmonics of the angle. */
static inline double sky_trial_column(size_t j, double t, double angle)
{
    switch (j) {
    case 0:
        return sin(angle);
    case 1:
        return cos(angle);
    case 2:
        return t / 1000.0 * sin(angle);
    case 3:
        return t / 1000.0 * cos(angle);
    case 4:
        return sin(angle + 6.283185307179586 * t / 365.25);
    default:
        return j % 2 ? sin((double)(j - 2) * angle) : cos((double)(j - 3) * angle);
    }
}

/* An orbit of 270 days and e = 0.5 in noise, seen n_rows times in 1900 days. */
static inline sky_trial sky_trial_create(uint64_t seed, size_t n_rows, size_t n_base)
{
    sky_trial t = {.time = sky_oracle_allocate(n_rows, sizeof(double)),
                   .sine = sky_oracle_allocate(n_rows, sizeof(double)),
                   .cosine = sky_oracle_allocate(n_rows, sizeof(double)),
                   .residual = sky_oracle_allocate(n_rows, sizeof(double)),
                   .base = sky_oracle_allocate(n_base * n_rows, sizeof(double))};
    const sky_scan_node truth = {
        .frequency_per_day = 1.0 / 270.0, .eccentricity = 0.5, .m0_rad = 2.0};
    double *u = sky_oracle_allocate(5 * n_rows, sizeof *u);
    __float128 *columns = sky_oracle_allocate((n_base + 1) * n_rows, sizeof *columns);
    if (equant_random_uniform(seed, 7, 0, 5 * n_rows, u) != EQUANT_SUCCESS)
        exit(1);
    for (size_t k = 0; k < n_rows; k++) {
        double angle = 6.283185307179586 * u[5 * k], weight = 4.0 + 4.0 * u[5 * k + 1];
        double noise = sqrt(-2.0 * log(1.0 - u[5 * k + 2])) * cos(6.283185307179586 * u[5 * k + 3]);
        __float128 X, Y;
        t.time[k] = 1900.0 * (u[5 * k + 4] - 0.5);
        t.sine[k] = weight * sin(angle);
        t.cosine[k] = weight * cos(angle);
        sky_oracle_orbit(t.time[k], &truth, &X, &Y);
        for (size_t j = 0; j < n_base; j++)
            columns[j * n_rows + k] = weight * sky_trial_column(j, t.time[k], angle);
        columns[n_base * n_rows + k] =
            (0.4 * X - 0.3 * Y) * t.sine[k] + (0.2 * X + 0.5 * Y) * t.cosine[k] + (__float128)noise;
    }
    __float128 square = 0;
    for (size_t k = 0; k < n_rows; k++)
        square += columns[n_base * n_rows + k] * columns[n_base * n_rows + k];
    for (size_t j = 0; j < n_base; j++)
        sky_oracle_orthonormalise(n_rows, j, columns);
    double left = sky_oracle_orthonormalise(n_rows, n_base, columns);
    for (size_t i = 0; i < n_base * n_rows; i++)
        t.base[i] = (double)columns[i];
    for (size_t k = 0; k < n_rows; k++)
        t.residual[k] = (double)(columns[n_base * n_rows + k] * left * sqrtq(square));
    free(columns);
    free(u);
    t.source = (sky_scan_source){.n_rows = n_rows,
                                 .time_days = t.time,
                                 .sine = t.sine,
                                 .cosine = t.cosine,
                                 .residual = t.residual,
                                 .n_base = n_base,
                                 .base = t.base,
                                 .first_frequency_per_day = 1.0 / 3000.0,
                                 .bin_width_per_day = 1.0 / (6.283185307179586 * 1900.0),
                                 .n_bins = 50};
    return t;
}

static inline void sky_trial_free(sky_trial *t)
{
    free(t->time);
    free(t->sine);
    free(t->cosine);
    free(t->residual);
    free(t->base);
}

#endif
