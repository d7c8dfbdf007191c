/* A scan as its kernels read it: passed by value, so only plain members. Pointers are to
 * device memory. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_LAYOUT_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_LAYOUT_CUH

#include "backends/scan_noise.h"

/* Nodes of which the best is kept: as many neighbouring M0 of one frequency. */
#define SCAN_GROUP BACKEND_SCAN_PHASES

/* Columns of the base that one pass over the observations multiplies by: few where these are
 * all, as for the first planet of a star of three instruments, else as many as leave the sums in
 * registers. */
#define SCAN_COLUMNS_FEW 3
#define SCAN_COLUMNS_MANY 6

/* Shapes that have kernels of their own, with states in registers and rows in shared memory: blocks
 * of one, two and three states. Others take the first in which they have room. */
#define SCAN_NOISE_SHAPES(shape)                                                                   \
    shape(1, 0, 0) shape(0, 1, 0) shape(1, 1, 0) shape(0, 2, 0) shape(1, 2, 0) shape(0, 3, 0)      \
        shape(1, 3, 0) shape(1, 1, 1) shape(1, 2, 1) shape(1, 5, 0) shape(1, 4, 1)
#define SCAN_NOISE_NUMBER(singles, pairs, triples) (100 * (triples) + 10 * (pairs) + (singles))

/* Numbers of a row of the noise, of which shared memory is read four at a time. */
static inline size_t scan_noise_padded(scan_noise_shape shape)
{
    return (scan_noise_row_length(shape) + 3) / 4 * 4;
}

/* What one observation gives to sums in one pass. Scaled: no weight above one, and a residual of
 * unit length, so that no sum leaves the range of a float. */
template <class REAL_TYPE, int COLUMNS> struct __align__(16) scan_row
{
    REAL_TYPE root_weight, residual, base[COLUMNS];
};

/* Numbers from one row to the next. */
static inline size_t scan_row_length(size_t n_columns, size_t real_size)
{
    return ((2 + n_columns) * real_size + 15) / 16 * 16 / real_size;
}

/* Where X and Y of a layer's nodes come from (scan_source.cuh). */
enum scan_kind { SCAN_CIRCLES, SCAN_TABLE, SCAN_ORBITS, N_SCAN_KINDS };

/* X and Y as polynomials of the place in a part of a cell: what one part holds. */
enum { SCAN_TERMS = 3 };
struct scan_record {
    float2 term[SCAN_TERMS]; /* X, Y */
};

/* One eccentricity. Its phases are 2 pi k / n_phases; a circle has one. With a table the turn is
 * cut into n_phases cells of n_parts parts, an odd number. */
struct scan_layer {
    scan_kind kind;
    unsigned n_frequencies, n_phases, n_parts;
    double eccentricity;
    size_t first_record;
    /* In the bins at hand: */
    unsigned n_bins, n_groups;
    unsigned first_block, n_blocks; /* among those of its kind      */
    size_t first_candidate;
};

/* The best node of a group; of circles, each node. */
struct scan_candidate {
    double improvement;
    unsigned phase;
};

struct scan_problem {
    unsigned n_obs, n_passes;
    const double *time; /* [n_obs]                            */
    const void *rows;   /* [n_passes][n_obs] scan_row         */
    /* Where noise is correlated: */
    scan_noise_shape noise;
    int noise_kind;         /* SCAN_NOISE_NUMBER; SCAN_NOISE_ANY */
    unsigned noise_length;  /* of a row, a multiple of four       */
    const void *noise_rows; /* [n_obs][noise_length] real         */
    double residual_square;
    double first_frequency_per_day, bin_width_per_day;
    size_t first_bin;     /* of those at hand                   */
    const unsigned *bins; /* those at hand; NULL: first_bin and those that follow it */
    unsigned n_layers;
    const scan_layer *layers;
    scan_record *records;
    scan_candidate *candidates;
    unsigned items_per_block; /* shares of work that a block takes one after the other */
    unsigned shared_most;     /* bytes of shared memory that a block may have          */
};

/* Groups that share a frequency, and hence candidates for each frequency. */
static __host__ __device__ inline unsigned scan_groups_of_frequency(const scan_layer &layer)
{
    return layer.kind == SCAN_CIRCLES ? 1 : layer.n_phases / SCAN_GROUP;
}

/* One of the bins at hand by its number among all. */
static __device__ inline double scan_bin(const scan_problem &scan, unsigned bin)
{
    return scan.bins ? (double)scan.bins[bin] : (double)(scan.first_bin + bin);
}

/* A frequency by its number among those of the bins at hand, as backend.h says. */
static __device__ inline double scan_frequency(const scan_problem &scan, const scan_layer &layer,
                                               unsigned number)
{
    unsigned bin = number / layer.n_frequencies, j = number - bin * layer.n_frequencies;
    double place = ((double)j + 0.5) / (double)layer.n_frequencies - 0.5;
    return scan.first_frequency_per_day + (scan_bin(scan, bin) + place) * scan.bin_width_per_day;
}

/* The kernels of one precision. */
struct scan_kernels {
    size_t real_size;
    bool has_tables;
    bool has_few;             /* kernels for few columns of the base */
    unsigned groups_per_item; /* what a block works on at once */
    /* Bytes of shared memory that a block for this layer needs. */
    size_t (*shared_bytes)(const scan_layer *layer, size_t n_base, size_t noise_length);
    cudaError_t (*launch)(scan_kind kind, const scan_problem *scan, size_t n_base,
                          unsigned n_blocks, size_t shared_bytes, cudaStream_t stream);
};
extern const scan_kernels scan_kernels_double, scan_kernels_mixed;
extern const scan_kernels scan_noise_kernels_double, scan_noise_kernels_mixed;

#endif
