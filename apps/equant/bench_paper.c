#include "bench_paper.h"

const bench_paper_row bench_paper_rows[] = {
    {"double", "CPU", 3.26e6, 1.6e3, {0.0, 0.0, 0.0}},
    {"single", "CPU", 3.54e6, 1.6e3, {0.0, 0.0, 0.0}},
    {"double", "GPU", 1.80e8, 1.1e5, {1.0e-4, 232.0, 4.4e-7}},
    {"mixed", "GPU", 0.0, 1.0e6, {1.3e-4, 86.0, 5.8e-7}},
    {"single", "GPU", 4.19e9, 2.1e6, {0.11, 6.9e4, 2.4e-4}},
    {"double", "GPU, fused", 0.0, 1.1e5, {1.0e-4, 232.0, 4.4e-7}},
    {"mixed", "GPU, fused", 0.0, 8.6e5, {1.2e-4, 78.0, 6.3e-7}},
    {"single", "GPU, fused", 0.0, 1.4e6, {0.11, 6.9e4, 2.4e-4}},
};
const size_t bench_paper_n_rows = sizeof bench_paper_rows / sizeof *bench_paper_rows;
