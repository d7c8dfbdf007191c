/* How systems/s grow with the number of threads. */
#ifndef EQUANT_APP_BENCH_BENCH_SCALING_H
#define EQUANT_APP_BENCH_BENCH_SCALING_H

#include <stdio.h>

#include "bench/bench_rows.h"

enum { BENCH_SCALING_PRECISIONS = 2, BENCH_SCALING_MAX_STEPS = 16 };

/* One number of threads. */
typedef struct bench_scaling_step {
    int n_threads;
    bench_speed speed[BENCH_SCALING_PRECISIONS]; /* double, mixed; by the wall clock */
} bench_scaling_step;

typedef struct bench_scaling {
    bench_scaling_step step[BENCH_SCALING_MAX_STEPS];
    size_t n_steps;
} bench_scaling;

/* Measures 1, 2, 4, ... threads up to n_threads, for one backend or (NULL) the best.
 * Returns an exit code, with a sentence on failure; free it in any case. */
int bench_scaling_measure(const bench_problem *problem, const char *backend, int n_threads,
                          const bench_effort *effort, bench_scaling *scaling);
void bench_scaling_free(bench_scaling *scaling);

void bench_scaling_json(FILE *stream, const bench_scaling *scaling, const bench_effort *effort);

/* Returns an exit code, with a sentence when memory ran out. */
int bench_scaling_text(FILE *stream, const bench_scaling *scaling, const bench_effort *effort);

#endif
