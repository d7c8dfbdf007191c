/* Speed against the size of the problem: systems, planets and observations, each varied
 * around the problem of the paper. */
#ifndef EQUANT_APP_BENCH_BENCH_SWEEP_H
#define EQUANT_APP_BENCH_BENCH_SWEEP_H

#include <stdio.h>

enum { BENCH_SWEEP_PRECISIONS = 2, BENCH_SWEEP_MAX_POINTS = 32 };

typedef struct bench_sweep_point {
    const char *varied; /* "systems", "planets" or "observations" */
    size_t n_planets, n_obs;
    /* For each precision: systems of the batch, fewer than asked for where a call would
     * take too long, and systems/s; 0 where not even fewer would tell. */
    size_t n_systems[BENCH_SWEEP_PRECISIONS];
    double systems_per_s[BENCH_SWEEP_PRECISIONS];
} bench_sweep_point;

typedef struct bench_sweep {
    const char *backend;
    size_t n_points;
    bench_sweep_point point[BENCH_SWEEP_MAX_POINTS];
} bench_sweep;

/* Measures every point for about limit_s seconds. backend NULL is the best processor
 * code. Returns an exit code, with a sentence on failure. */
int bench_sweep_measure(const char *backend, int n_threads, double limit_s, bench_sweep *sweep);

void bench_sweep_json(FILE *stream, const bench_sweep *sweep, int n_threads);
int bench_sweep_text(FILE *stream, const bench_sweep *sweep);

#endif
