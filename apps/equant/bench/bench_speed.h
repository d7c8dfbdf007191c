/* How fast one engine, or the baseline, does the problem of the benchmark. */
#ifndef EQUANT_APP_BENCH_BENCH_SPEED_H
#define EQUANT_APP_BENCH_BENCH_SPEED_H

#include "bench/bench_problem.h"
#include "equant.h"
#include "bench/reference_libm.h"

typedef struct bench_speed {
    equant_engine_options engine;
    equant_evaluator *evaluator;  /* NULL: the baseline, with the limits below */
    reference_libm_limits limits; /* of the baseline                           */
    int by_wall_clock;            /* 0: by the thread's own clock              */
    size_t n_systems;             /* in one measurement; 0 until it is known   */
    size_t n_solutions;           /* the same for Kepler's equation alone      */
    double systems_per_s;         /* in the fastest measurement so far         */
    double kepler_per_s;
} bench_speed;

/* The baseline, stopping at `tolerance`. */
bench_speed bench_speed_baseline(double tolerance);

/* An engine; engine->n_threads must be set. The clock is the thread's own for one
 * thread, so that other programs count little, and the wall's for several; it may be
 * changed before the first measurement. Free it when done. */
equant_status bench_speed_create(const bench_problem *problem, const equant_engine_options *engine,
                                 bench_speed *speed);
void bench_speed_free(bench_speed *speed);

/* Computes chi-square of every orbit of the problem into problem->chi_square. */
equant_status bench_speed_evaluate(const bench_speed *speed, const bench_problem *problem);

/* Takes one measurement of each kind, of about `seconds` each, and keeps the faster
 * of it and what is already there. */
equant_status bench_speed_measure_systems(bench_speed *speed, const bench_problem *problem,
                                          double seconds);
equant_status bench_speed_measure_kepler(bench_speed *speed, const bench_problem *problem,
                                         double seconds);

#endif
