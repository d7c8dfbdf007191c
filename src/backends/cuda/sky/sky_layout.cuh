/* What host and kernels of a sky scan hand to each other. */
#ifndef EQUANT_BACKENDS_CUDA_SKY_SKY_LAYOUT_CUH
#define EQUANT_BACKENDS_CUDA_SKY_SKY_LAYOUT_CUH

#include <cuda_runtime.h>
#include <stddef.h>

#include "backends/backend.h"

/* Columns of the base that kernels have room for. */
#define SKY_FEW 5
#define SKY_SOME 8
#define SKY_MANY 12
/* Numbers of a row for so many: five products, two for each column, filled up to four. */
#define SKY_ROW_LENGTH(columns) ((5 + 2 * (columns) + 3) / 4 * 4)
/* Rows whose sums in single are good to 2e-7; more are summed in runs of so many. */
#define SKY_RUN 128
/* Terms of first guesses, at most. */
#define SKY_MOST_TERMS 12

/* A node of a bin, the same for all sources. */
struct sky_node {
    double place;    /* in the bin, of its width */
    double m0_turns; /* in [-1/2, 1/2]           */
    double e, one_minus_e, axis /* sqrt(1 - e^2) */;
    float steepness, origin, starter[SKY_MOST_TERMS];
    unsigned layer;
};

/* A source on the GPU. */
struct sky_source {
    unsigned n_rows, n_bins;
    size_t first_row, first_bin; /* of all of the batch */
    double first_frequency_per_day, bin_width_per_day, residual_square;
};

/* Bins that a block takes. */
struct sky_tile {
    unsigned source, first_bin, n_bins;
};

struct sky_found {
    double gain;
    unsigned node;
};

/* A batch of sources. */
struct sky_batch {
    const sky_source *sources;
    const sky_tile *tiles;
    const unsigned *layer_bins; /* [sources][layers]: bins that take part, the first */
    const double *times;        /* [rows] */
    const void *rows;           /* [n_passes][n_all_rows][length] real */
    sky_found *found;           /* [bins] */
    const sky_node *nodes;
    unsigned n_nodes, n_layers, n_passes;
    size_t n_all_rows;
    unsigned most_rows, most_bins; /* of a source; of a tile */
};

/* How a batch is computed. */
enum sky_way {
    SKY_WAY_FEW,
    SKY_WAY_SOME,
    SKY_WAY_MANY,
    SKY_WAY_ANY /* any number of rows and columns, any eccentricity below one, any phase */
};

struct sky_kernels {
    size_t real_size;
    unsigned most_rows; /* of the ways for short sources */
    cudaError_t (*prepare)(unsigned n_nodes, sky_node *nodes, cudaStream_t stream);
    cudaError_t (*launch)(sky_way way, const sky_batch *batch, unsigned n_tiles,
                          cudaStream_t stream);
    size_t (*shared_bytes)(sky_way way, unsigned n_rows, unsigned n_nodes, unsigned n_bins);
};
extern const sky_kernels sky_kernels_double, sky_kernels_mixed;

#endif
