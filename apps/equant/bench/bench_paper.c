#include "bench/bench_paper.h"

#include <string.h>

const bench_paper_row bench_paper_rows[] = {
    {"double", "CPU", 3.26e6, 1.6e3, {0.0, 0.0, 0.0}, 0.0},
    {"single", "CPU", 3.54e6, 1.6e3, {0.0, 0.0, 0.0}, 0.0},
    {"double", "GPU", 1.80e8, 1.1e5, {1.0e-4, 232.0, 4.4e-7}, 0.014},
    {"mixed", "GPU", 0.0, 1.0e6, {1.3e-4, 86.0, 5.8e-7}, 0.077},
    {"single", "GPU", 4.19e9, 2.1e6, {0.11, 6.9e4, 2.4e-4}, 0.069},
    {"double", "GPU, fused", 0.0, 1.1e5, {1.0e-4, 232.0, 4.4e-7}, 0.014},
    {"mixed", "GPU, fused", 0.0, 8.6e5, {1.2e-4, 78.0, 6.3e-7}, 0.077},
    {"single", "GPU, fused", 0.0, 1.4e6, {0.11, 6.9e4, 2.4e-4}, 0.069},
};
const size_t bench_paper_n_rows = sizeof bench_paper_rows / sizeof *bench_paper_rows;

static const bench_paper_kernel kernels[] = {
    {"single", "mean anomaly", 11, 0, 1064, 256},
    {"single", "eccentric anomaly", 20, 0, 44, 256},
    {"single", "velocity", 27, 0, 48, 256},
    {"single", "chi-square", 15, 0, 2100, 512},
    {"single", "fused", 32, 0, 2120, 256},
    {"double", "mean anomaly", 27, 0, 2088, 512},
    {"double", "eccentric anomaly", 44, 152, 44, 320},
    {"double", "velocity", 64, 304, 48, 256},
    {"double", "chi-square", 32, 304, 4160, 512},
    {"double", "fused", 64, 304, 4176, 256},
    {"mixed", "mean anomaly", 28, 0, 2088, 256},
    {"mixed", "eccentric anomaly", 20, 0, 44, 256},
    {"mixed", "velocity", 27, 0, 48, 512},
    {"mixed", "chi-square", 15, 0, 2100, 512},
    {"mixed", "fused", 32, 0, 2120, 256},
};

/* A name of the paper may be the beginning of ours: there is more than one way to fuse. */
const bench_paper_kernel *bench_paper_find_kernel(const char *precision, const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].precision, precision) == 0 &&
            strncmp(kernels[i].name, name, strlen(kernels[i].name)) == 0)
            return &kernels[i];
    return NULL;
}
