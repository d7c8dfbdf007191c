/* A source laid out for the loops of sky_loop.h, and what a thread needs beside. */
#ifndef EQUANT_BACKENDS_CPU_SKY_CPU_SKY_SOURCE_H
#define EQUANT_BACKENDS_CPU_SKY_CPU_SKY_SOURCE_H

#include <stddef.h>

#include "backends/backend.h"

typedef struct cpu_sky_source {
    size_t n_rows, n_base, row_length;
    const double *time_days;
    void *rows;   /* [n_rows][row_length] real: products, as sky_scan_node.h orders them */
    double *sums; /* [sums of a node][CPU_PADDING] */
    double residual_square;      /* by which gains are to be multiplied */
    size_t rows_size, sums_size; /* bytes that there is room for */
} cpu_sky_source;

#endif
