/* A scan laid out for the loops of one machine and precision (scan_loop.h). */
#ifndef EQUANT_BACKENDS_CPU_CPU_SCAN_H
#define EQUANT_BACKENDS_CPU_CPU_SCAN_H

#include <stdint.h>

#include "backends/cpu/fold/fold_layer.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/scan_table.h"
#include "backends/scan_noise.h"

/* A row holds what one observation gives to sums: root of the weight, residual, base. */
enum { SCAN_ROW_WEIGHT, SCAN_ROW_RESIDUAL, SCAN_ROW_BASE };

/* Sums of a node: those of scan_node_sums, then q.x and q.y of each column of the base. */
enum { SCAN_SUM_XX, SCAN_SUM_XY, SCAN_SUM_YY, SCAN_SUM_XR, SCAN_SUM_YR, SCAN_SUM_BASE };

typedef struct cpu_scan_layer {
    backend_scan_layer grid;
    scan_table table; /* without coefficients for circles */
    fold_layer fold;  /* without cells: not folded         */
} cpu_scan_layer;

/* Weights are scaled to at most one and the residual to unit length, so that no sum leaves the
 * range of a float. */
typedef struct cpu_scan {
    size_t n_obs, n_padded, n_base, row_length;
    double *time;           /* [n_padded] days */
    void *rows;             /* [n_obs][row_length] real                        */
    scan_noise_shape noise; /* no states: white                                */
    int noise_kind;         /* of scan_noise_kind                              */
    size_t noise_length;    /* of a row of it                                  */
    void *noise_rows;       /* [n_obs][noise_length] real                      */
    double residual_square; /* |r|^2: what one unit of improvement stands for  */
    double first_frequency_per_day, bin_width_per_day;
    size_t n_layers;
    cpu_scan_layer *layers;
    const unsigned char *wanted; /* of the caller, by bins; NULL: all          */
    /* Where a layer is folded: */
    cpu_fold_bin *fold;
    size_t n_fold_columns; /* of fold_layer.h                                    */
    size_t n_fold_groups;  /* of lanes that they take                            */
    size_t n_fold_side;    /* frequencies side by side in one group              */
    size_t n_fold_parts;   /* groups, or frequencies: one of them is 1           */
    size_t n_estimates;    /* of a bin                                           */
    float *fold_rows;      /* [n_obs][n_fold_parts][lanes]: columns, each frequency in lanes of
                              its own, where others have zeros                   */
} cpu_scan;

/* Working memory for folding. */
typedef struct fold_scratch {
    float *offsets;     /* [n_padded]: the place in the first cell                 */
    float *taps;        /* [FOLD_TAPS_MANY][n_padded]                              */
    float *cells;       /* [cells + taps][lanes], then pairs of them as complex numbers */
    float *sums;        /* [phases][2][lanes]                                      */
    float *equations;   /* [n_fold_side][n_equations / lanes][7][lanes]            */
    size_t n_equations; /* phases of a family, at most                           */
    float *estimates;   /* [bins of a tile][n_estimates]                           */
} fold_scratch;

/* Working memory of one thread. */
typedef struct cpu_scan_scratch {
    /* Where the observations are in the table of a layer, [n_padded]: */
    double *cell_place, *part_place; /* cell and part as the lanes find them          */
    uint32_t *cell, *part;           /* the cell; the start of the part's coefficients */
    void *offset;                    /* real: the place in the part                   */
    /* A group of nodes: */
    void *x, *y;  /* [SCAN_STRIP][lanes] real: columns at a strip of observations */
    void *state;  /* [2][states][lanes] real: what the noise remembers of x and y */
    double *sums; /* [SCAN_SUM_BASE + 2 n_base][lanes]                            */
    fold_scratch fold;
} cpu_scan_scratch;

/* Observations whose products are summed in real before they join a sum in double. */
#define SCAN_STRIP 64

/* Frequency j of a bin, as backend.h says. */
static inline double cpu_scan_frequency(const cpu_scan *scan, const backend_scan_layer *layer,
                                        size_t bin, size_t j)
{
    double place = ((double)j + 0.5) / (double)layer->n_frequencies - 0.5;
    return scan->first_frequency_per_day + ((double)bin + place) * scan->bin_width_per_day;
}

#endif
