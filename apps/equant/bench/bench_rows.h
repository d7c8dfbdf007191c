/* The rows of the benchmark: every precision, solver and machine code at hand, on one
 * thread and on all, and the baselines that they are compared with. */
#ifndef EQUANT_APP_BENCH_BENCH_ROWS_H
#define EQUANT_APP_BENCH_BENCH_ROWS_H

#include "bench/bench_errors.h"
#include "bench/bench_problem.h"
#include "bench/bench_speed.h"

typedef struct bench_row {
    const char *precision, *solver;
    const char *isa; /* "avx512" for the backend "cpu/avx512" */
    bench_speed speed;
    bench_errors errors;
} bench_row;

enum { BENCH_N_BASELINES = 2 };

typedef struct bench_rows {
    /* The paper's tolerance, and one that makes its errors those of double precision. */
    bench_row baseline[BENCH_N_BASELINES];
    bench_row *row;
    size_t n_rows;
} bench_rows;

/* How the measuring is done: speeds are the fastest of n_rounds, and every round
 * visits every row and both baselines, so that a slow minute slows them all. */
typedef struct bench_effort {
    size_t n_systems;
    int n_rounds;
    double seconds; /* of one measurement */
} bench_effort;

/* Makes the rows for threads 1 and n_threads, for one backend or (NULL) for each that
 * is available. Returns an exit code, with a sentence on failure; free in any case. */
int bench_rows_create(const bench_problem *problem, const char *backend, int n_threads,
                      bench_rows *rows);

/* Fills in all errors and speeds. Returns an exit code, with a sentence on failure. */
int bench_rows_measure(bench_rows *rows, const bench_problem *problem, const bench_effort *effort);

void bench_rows_free(bench_rows *rows);

#endif
