/* Speed and error of searches of many sources on the sky: 93 transits in 5.5 years, five columns in
 * the base, 61 nodes in a bin, periods of 10 days to two spans; from host memory to three peaks.
 *
 * Usage: sky_speed BACKEND PRECISION N_SOURCES [N_THREADS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trial_run.h"
#include "core/sky/sky_scan.h"

enum { N_ROWS = 93, N_BASE = 5, N_PEAKS = 3, N_COMPARED = 8 };
static const double span_days = 2010.0, two_pi = 6.283185307179586;

static const sky_scan_layer layers[] = {{0.0, SIZE_MAX, 1, 1},  {0.2, SIZE_MAX, 1, 12},
                                        {0.4, SIZE_MAX, 1, 12}, {0.6, SIZE_MAX, 1, 12},
                                        {0.8, SIZE_MAX, 1, 12}, {0.9, SIZE_MAX, 1, 12}};
enum { N_LAYERS = sizeof layers / sizeof *layers, N_NODES = 61 };

/* A source and its numbers. */
typedef struct star {
    double time[N_ROWS], sine[N_ROWS], cosine[N_ROWS], residual[N_ROWS], base[N_BASE][N_ROWS];
} star;

static double product(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < N_ROWS; k++)
        sum += a[k] * b[k];
    return sum;
}

static void project(const star *s, double *column, int n)
{
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < n; j++) {
            double shared = product(s->base[j], column);
            for (int k = 0; k < N_ROWS; k++)
                column[k] -= shared * s->base[j][k];
        }
}

/* Noise, and in every other source an orbit. */
static void observe(star *s, uint64_t seed)
{
    double u[4 * N_ROWS];
    must(equant_random_uniform(seed, 3, 0, 4 * N_ROWS, u));
    double n = two_pi / (20.0 * pow(75.0, u[3])), size = seed % 2 ? 0.0 : 0.3;
    for (int k = 0; k < N_ROWS; k++) {
        double t = span_days * (u[4 * k] - 0.5), angle = two_pi * u[4 * k + 1], weight = 8.0;
        double columns[N_BASE] = {sin(angle), cos(angle), t / 1000.0 * sin(angle),
                                  t / 1000.0 * cos(angle), sin(angle + t * two_pi / 365.25)};
        s->time[k] = t;
        s->sine[k] = weight * sin(angle);
        s->cosine[k] = weight * cos(angle);
        s->residual[k] = weight * size * sin(n * t + angle) +
                         sqrt(-2.0 * log(1.0 - u[4 * k + 2])) * cos(two_pi * u[4 * k + 3]);
        for (int j = 0; j < N_BASE; j++)
            s->base[j][k] = weight * columns[j];
    }
    for (int j = 0; j < N_BASE; j++) {
        project(s, s->base[j], j);
        double length = sqrt(product(s->base[j], s->base[j]));
        for (int k = 0; k < N_ROWS; k++)
            s->base[j][k] /= length;
    }
    project(s, s->residual, N_BASE);
}

static sky_scan_source source_of(const star *s)
{
    double first = 0.5 / span_days, width = 1.0 / (two_pi * span_days);
    return (sky_scan_source){.n_rows = N_ROWS,
                             .time_days = s->time,
                             .sine = s->sine,
                             .cosine = s->cosine,
                             .residual = s->residual,
                             .n_base = N_BASE,
                             .base = s->base[0],
                             .first_frequency_per_day = first,
                             .bin_width_per_day = width,
                             .n_bins = (size_t)((0.1 - first) / width) + 1};
}

static sky_scan_state *open_on(const char *backend, equant_precision precision, int n_threads)
{
    equant_engine_options engine = {.struct_size = sizeof engine,
                                    .backend = backend,
                                    .precision = precision,
                                    .n_threads = n_threads};
    sky_scan_state *state = NULL;
    must(sky_scan_open(NULL, &engine, N_LAYERS, layers, &state));
    return state;
}

/* The largest difference of gains to double on the processor, of the residual's square, and bins
 * whose best node is another. */
static void compare(sky_scan_state *state, const star *stars, const sky_scan_source *sources)
{
    size_t n_bins = sources[0].n_bins, n_other = 0;
    sky_scan_node *own = allocate(N_COMPARED * n_bins, sizeof *own);
    sky_scan_node *exact = allocate(N_COMPARED * n_bins, sizeof *exact);
    sky_scan_state *processor = open_on("cpu", EQUANT_PRECISION_DOUBLE, 0);
    must(sky_scan_bins(state, N_COMPARED, sources, own));
    must(sky_scan_bins(processor, N_COMPARED, sources, exact));
    double worst = 0.0;
    for (size_t i = 0; i < N_COMPARED * n_bins; i++) {
        double square = product(stars[i / n_bins].residual, stars[i / n_bins].residual);
        worst = fmax(worst, fabs(own[i].gain - exact[i].gain) / square);
        n_other += own[i].eccentricity != exact[i].eccentricity || own[i].m0_rad != exact[i].m0_rad;
    }
    printf("largest error of a gain %.2g of the residual's square; another node in %zu of %zu "
           "bins\n",
           worst, n_other, N_COMPARED * n_bins);
    sky_scan_close(processor);
    free(own);
    free(exact);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: sky_speed BACKEND double|mixed N_SOURCES [N_THREADS]\n");
        return 2;
    }
    equant_precision precision =
        strcmp(argv[2], "double") == 0 ? EQUANT_PRECISION_DOUBLE : EQUANT_PRECISION_MIXED;
    size_t n = strtoul(argv[3], NULL, 10);
    n = n < N_COMPARED ? N_COMPARED : n;
    star *stars = allocate(n, sizeof *stars);
    sky_scan_source *sources = allocate(n, sizeof *sources);
    sky_scan_node *peaks = allocate(n * N_PEAKS, sizeof *peaks);
    for (size_t i = 0; i < n; i++) {
        observe(&stars[i], i + 1);
        sources[i] = source_of(&stars[i]);
    }
    sky_scan_state *state = open_on(argv[1], precision, argc > 4 ? atoi(argv[4]) : 0);
    printf("%s %s: %zu sources, %d transits, %zu bins of %d nodes\n", argv[1], argv[2], n, N_ROWS,
           sources[0].n_bins, N_NODES);
    compare(state, stars, sources);
    for (int round = 0; round < 3; round++) {
        double begin = seconds();
        must(sky_scan_peaks(state, n, sources, N_PEAKS, 6, peaks));
        double taken = seconds() - begin;
        printf("%.4g s: %.4g sources/s, %.3g nodes x transits/s\n", taken, (double)n / taken,
               (double)n * (double)sources[0].n_bins * N_NODES * N_ROWS / taken);
    }
    sky_scan_close(state);
    free(stars);
    free(sources);
    free(peaks);
    return 0;
}
