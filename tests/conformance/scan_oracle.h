/* Scans for the tests: random problems, and what a node of them is worth, in long double and by
 * other means than the library's: Newton's iteration for every observation and modified
 * Gram-Schmidt over all columns. */
#ifndef CONFORMANCE_SCAN_ORACLE_H
#define CONFORMANCE_SCAN_ORACLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scan.h"
#include "oracle/random_system.h"

enum { SCAN_ORACLE_MAX_COLUMNS = 64 };

/* A scan and the memory behind it. */
typedef struct scan_trial {
    backend_scan scan;
    double *time, *root_weight, *residual, *base;
} scan_trial;

static inline void *scan_oracle_allocate(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory) {
        fprintf(stderr, "not enough memory for this test\n");
        exit(1);
    }
    return memory;
}

/* Takes from `column` what it shares with n orthonormal ones; twice, for what rounding left. */
static inline void scan_oracle_project(size_t n_obs, size_t n, const double *columns,
                                       double *column)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < n; j++) {
            long double product = 0;
            for (size_t k = 0; k < n_obs; k++)
                product += (long double)columns[j * n_obs + k] * column[k];
            for (size_t k = 0; k < n_obs; k++)
                column[k] -= (double)(product * columns[j * n_obs + k]);
        }
}

static inline long double scan_oracle_square(size_t n, const double *column)
{
    long double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (long double)column[k] * column[k];
    return sum;
}

/* Column j of the base before whitening: an offset for each of up to three instruments, a
 * trend, then sines of some other planets. */
static inline double scan_oracle_base_value(size_t j, size_t n_base, size_t k, double t)
{
    size_t n_instruments = n_base < 3 ? n_base : 3;
    if (j < n_instruments)
        return k % n_instruments == j;
    return j == n_instruments ? t : sin(t * (0.11 + 0.23 * (double)j) + (double)j);
}

/* Observations over `span` days with one planet in them, and n_base <= n_obs columns that are
 * fitted in any case. Layers are the caller's. */
static inline scan_trial scan_trial_create(uint64_t seed, size_t n_obs, size_t n_base, double span)
{
    random_system random = {seed};
    scan_trial t = {.time = scan_oracle_allocate(n_obs, sizeof(double)),
                    .root_weight = scan_oracle_allocate(n_obs, sizeof(double)),
                    .residual = scan_oracle_allocate(n_obs, sizeof(double)),
                    .base = scan_oracle_allocate(n_base * n_obs, sizeof(double))};
    for (size_t k = 0; k < n_obs; k++) {
        t.time[k] = random_system_between(&random, -0.5 * span, 0.5 * span);
        t.root_weight[k] = 1.0 / random_system_between(&random, 0.5, 4.0);
        double angle = 0.75 * t.time[k] + 1.0, noise = random_system_between(&random, -2.0, 2.0);
        t.residual[k] = t.root_weight[k] * (5.0 * cos(angle + 0.4 * sin(angle)) + noise);
    }
    for (size_t j = 0; j < n_base; j++) {
        double *column = t.base + j * n_obs;
        for (size_t k = 0; k < n_obs; k++)
            column[k] = t.root_weight[k] * scan_oracle_base_value(j, n_base, k, t.time[k]);
        scan_oracle_project(n_obs, j, t.base, column);
        double length = sqrt((double)scan_oracle_square(n_obs, column));
        for (size_t k = 0; k < n_obs; k++)
            column[k] /= length;
    }
    scan_oracle_project(n_obs, n_base, t.base, t.residual);
    t.scan = (backend_scan){.n_obs = n_obs,
                            .time_days = t.time,
                            .root_weight = t.root_weight,
                            .residual = t.residual,
                            .n_base = n_base,
                            .base = t.base,
                            .first_frequency_per_day = 0.09,
                            .bin_width_per_day = 0.3 / span};
    return t;
}

static inline void scan_trial_free(scan_trial *t)
{
    free(t->time);
    free(t->root_weight);
    free(t->residual);
    free(t->base);
}

/* E of M in [-pi, pi]: from pi, where E - e sin E - M is convex, Newton never overshoots. */
static inline long double scan_oracle_kepler(long double M, long double e)
{
    long double m = fabsl(M), E = 3.14159265358979323846264L;
    for (int step = 0; step < 60; step++) {
        long double change = (E - e * sinl(E) - m) / (1 - e * cosl(E));
        E -= change;
        if (fabsl(change) < 1e-18L)
            break;
    }
    return copysignl(E, M);
}

/* Orthogonalises column n against those before it and scales it to unit length; false (and
 * nothing left of it) where it depends on them. */
static inline int scan_oracle_orthonormalise(size_t n_obs, size_t n, long double *columns)
{
    long double *column = columns + n * n_obs, before = 0, after = 0;
    for (size_t k = 0; k < n_obs; k++)
        before += column[k] * column[k];
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < n; j++) {
            long double product = 0;
            for (size_t k = 0; k < n_obs; k++)
                product += columns[j * n_obs + k] * column[k];
            for (size_t k = 0; k < n_obs; k++)
                column[k] -= product * columns[j * n_obs + k];
        }
    for (size_t k = 0; k < n_obs; k++)
        after += column[k] * column[k];
    int independent = after > 1e-20L * before;
    for (size_t k = 0; k < n_obs; k++)
        column[k] = independent ? column[k] / sqrtl(after) : 0;
    return independent;
}

/* L^-1 of a column, L the lower triangle [n][n]. */
static inline void scan_oracle_whiten(size_t n, const long double *lower, long double *column)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            column[i] -= lower[i * n + j] * column[j];
        column[i] /= lower[i * n + i];
    }
}

/* The fall of chi-square at one node: the part of the residual along what x and y add to the
 * base. With lower not NULL the covariance is its square, and weights are not looked at. */
static inline double scan_oracle_fall(const backend_scan *scan, const long double *lower,
                                      double frequency, double e, double m0)
{
    const long double two_pi = 6.28318530717958647692529L;
    size_t n = scan->n_obs, n_base = scan->n_base;
    long double *columns = scan_oracle_allocate((n_base + 2) * n, sizeof *columns), fall = 0;
    for (size_t i = 0; i < n_base * n; i++)
        columns[i] = scan->base[i];
    for (size_t k = 0; k < n; k++) {
        long double turns = (long double)scan->time_days[k] * frequency + m0 / two_pi;
        long double E = scan_oracle_kepler(two_pi * (turns - rintl(turns)), e);
        long double scale = (lower ? 1 : scan->root_weight[k]) / (1 - e * cosl(E));
        columns[n_base * n + k] = scale * cosl(E);
        columns[(n_base + 1) * n + k] = scale * sinl(E);
    }
    for (size_t j = n_base; lower && j < n_base + 2; j++)
        scan_oracle_whiten(n, lower, columns + j * n);
    for (size_t j = 0; j < n_base + 2; j++)
        scan_oracle_orthonormalise(n, j, columns);
    for (size_t j = n_base; j < n_base + 2; j++) {
        long double product = 0;
        for (size_t k = 0; k < n; k++)
            product += columns[j * n + k] * scan->residual[k];
        fall += product * product;
    }
    free(columns);
    return (double)fall;
}

static inline double scan_oracle_improvement(const backend_scan *scan, double frequency, double e,
                                             double m0)
{
    return scan_oracle_fall(scan, NULL, frequency, e, m0);
}

/* The best node of a bin among the layers from `first_layer` up to `end_layer`. */
static inline backend_scan_node scan_oracle_best_under(const backend_scan *scan,
                                                       const long double *lower, size_t bin,
                                                       size_t first_layer, size_t end_layer)
{
    backend_scan_node best = {.improvement = -1};
    for (size_t l = first_layer; l < end_layer; l++) {
        const backend_scan_layer *layer = &scan->layers[l];
        size_t n_phases = layer->eccentricity > 0 ? layer->n_phases : 1;
        for (size_t j = 0; bin < layer->n_bins && j < layer->n_frequencies; j++)
            for (size_t k = 0; k < n_phases; k++) {
                double place = (double)bin + ((double)j + 0.5) / (double)layer->n_frequencies - 0.5;
                backend_scan_node node = {.frequency_per_day = scan->first_frequency_per_day +
                                                               place * scan->bin_width_per_day,
                                          .eccentricity = layer->eccentricity,
                                          .m0_rad =
                                              6.283185307179586 * (double)k / (double)n_phases};
                node.improvement = scan_oracle_fall(scan, lower, node.frequency_per_day,
                                                    node.eccentricity, node.m0_rad);
                if (node.improvement > best.improvement)
                    best = node;
            }
    }
    return best;
}

static inline backend_scan_node scan_oracle_best(const backend_scan *scan, size_t bin,
                                                 size_t first_layer, size_t end_layer)
{
    return scan_oracle_best_under(scan, NULL, bin, first_layer, end_layer);
}

#endif
