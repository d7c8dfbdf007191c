/* The ways in which a device can evaluate the benchmark: precisions, both implementations,
 * both solvers, the tabulated first guess. Their kernels (Table 1 of the paper), speeds and
 * errors (Table 2). */
#ifndef EQUANT_APP_BENCH_BENCH_WAYS_H
#define EQUANT_APP_BENCH_BENCH_WAYS_H

#include "bench/bench_errors.h"
#include "bench/bench_problem.h"

enum { BENCH_WAYS_MAX = 20, BENCH_WAY_MAX_KERNELS = 8 };

typedef struct bench_way {
    equant_engine_options engine;
    size_t n_kernels;
    equant_kernel_info kernel[BENCH_WAY_MAX_KERNELS];
    double systems_per_s; /* parameters and results on the device              */
    double from_host_per_s;
    double transfer; /* by how much longer a call from the host takes, over the call on
                        the device */
    bench_errors errors;
} bench_way;

typedef struct bench_ways {
    size_t n_ways;
    bench_way way[BENCH_WAYS_MAX];
} bench_ways;

/* Fills in everything, about limit_s seconds for each speed. Errors are over the systems of
 * the problem, speeds over the 122,880 of the paper. Returns an exit code, with a sentence on
 * failure. */
int bench_ways_measure(const bench_problem *problem, const char *backend, double limit_s,
                       bench_ways *ways);

/* "split", "fused" or, for the iteration from a table, "fused, tabulated". */
const char *bench_way_code(const bench_way *way);

#endif
