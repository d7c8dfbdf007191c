/* What Ford (2008) measured, Tables 1 and 2: a GT200 graphics processor and one core of a
 * 2.6 GHz Opteron. */
#ifndef EQUANT_APP_BENCH_BENCH_PAPER_H
#define EQUANT_APP_BENCH_BENCH_PAPER_H

#include <stddef.h>

#include "bench/bench_errors.h"

/* A figure that the paper does not give is 0. */
typedef struct bench_paper_row {
    const char *precision;
    const char *machine;
    double kepler_per_s, systems_per_s;
    bench_errors errors; /* against the paper's own CPU code */
    double transfer;     /* between CPU and GPU, over the time of computing */
} bench_paper_row;

extern const bench_paper_row bench_paper_rows[];
extern const size_t bench_paper_n_rows;

/* One function of Table 1, under the name that ours has. */
typedef struct bench_paper_kernel {
    const char *precision, *name;
    int registers, local_bytes, shared_bytes, threads;
} bench_paper_kernel;

/* NULL where the paper has no such function. */
const bench_paper_kernel *bench_paper_find_kernel(const char *precision, const char *name);

#endif
