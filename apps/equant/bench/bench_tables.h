/* Tables 1 and 2 of Ford (2008) on this machine, the paper's figures beside ours. */
#ifndef EQUANT_APP_BENCH_BENCH_TABLES_H
#define EQUANT_APP_BENCH_BENCH_TABLES_H

#include <stdio.h>

#include "bench/bench_bound.h"
#include "bench/bench_rows.h"
#include "bench/bench_ways.h"

typedef struct bench_tables {
    const char *device;   /* the backend of the GPU; NULL: there is none */
    bench_rows processor; /* one thread of the best processor code, and the baselines */
    bench_ways ways;      /* of the GPU                                               */
    bench_bound bound;    /* its bare solver                                          */
    /* The paper's algorithm in single and in mixed precision, on this problem. */
    bench_errors paper_single, paper_mixed;
} bench_tables;

/* The problem must have its truth. Returns an exit code, with a sentence on failure; free
 * in any case. */
int bench_tables_measure(const bench_problem *problem, const char *device,
                         const bench_effort *effort, double limit_s, int n_threads,
                         bench_tables *tables);
void bench_tables_free(bench_tables *tables);

void bench_tables_json(FILE *stream, const bench_tables *tables, const bench_effort *effort,
                       int n_threads);
int bench_tables_text(FILE *stream, const bench_tables *tables, const bench_effort *effort);

#endif
