/* The problem of the benchmark, that of Ford (2008), Table 2: 256 velocities of a
 * star with four planets, and random four-planet orbits to be judged by them. The
 * same on every machine. */
#ifndef EQUANT_APP_BENCH_BENCH_PROBLEM_H
#define EQUANT_APP_BENCH_BENCH_PROBLEM_H

#include "equant.h"
#include "bench/reference_observations.h"

enum {
    BENCH_N_OBS = 256,
    BENCH_N_PLANETS = 4,
    BENCH_N_COLUMNS = BENCH_N_PLANETS * REFERENCE_ELEMENTS + 1, /* the last: an offset, 0 */
    BENCH_N_PAIRS = 4096 /* (M, e) with their answers: 160 KiB, inside a second-level cache */
};

typedef struct bench_problem {
    equant_dataset *dataset;
    equant_model *model;                 /* offset given, so that nothing is solved for  */
    reference_observations observations; /* views into the data set                      */
    size_t n_sets;
    double *parameters;           /* [n_sets][BENCH_N_COLUMNS]                           */
    double *reference_chi_square; /* [n_sets], in long double; bench_problem_set_truth   */
    double *mean_anomaly_rad;     /* [n_pairs], in [0, 2 pi)                             */
    double *eccentricity;         /* [n_pairs], in [0, 0.99)                             */
    size_t n_pairs;               /* BENCH_N_PAIRS for each thread                       */
    double *chi_square;           /* [n_sets]: where whoever is measured writes          */
    double *anomaly[3];           /* [n_pairs] each: E, sin E, cos E, likewise           */
} bench_problem;

/* Makes the problem with n_sets orbits, and pairs for n_threads threads. Returns an
 * exit code, with a sentence on failure; free it in either case. */
int bench_problem_create(size_t n_sets, int n_threads, bench_problem *problem);

/* Fills in reference_chi_square on n_threads threads. It takes some seconds. */
void bench_problem_set_truth(bench_problem *problem, int n_threads);

void bench_problem_free(bench_problem *problem);

#endif
