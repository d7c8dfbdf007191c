/* A map of pairs as its kernels read it: passed by value, so only plain members. Pointers are to
 * device memory. */
#ifndef EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_LAYOUT_CUH
#define EQUANT_BACKENDS_CUDA_PAIRS_PAIRS_LAYOUT_CUH

#include "backends/backend.h"

/* Columns that a thread sums at once. */
enum { PAIRS_COLUMNS = 4 };

struct pairs_problem {
    unsigned n, n_base, n_obs;
    unsigned n_columns; /* the residual and the base, and zeros up to a multiple of PAIRS_COLUMNS */
    unsigned width, n_tiles; /* of the resolution; in the longest band */
    double first_frequency_per_day, step_per_day;
    double window_0, least_share_left; /* the sum of the weights */
    float least_independence;
    /* From the host: */
    const double *time_days, *weights; /* [n_obs]                                          */
    const double *columns;             /* [n_obs][n_columns], times the roots of weights   */
    const int32_t *first_rows;         /* of the bands at hand                             */
    /* Sums over observations, in double: */
    double *sums;   /* [n_columns][2][n]: with cosine and sine of each frequency  */
    double2 *twice; /* [n]: the window function at twice each frequency           */
    /* What pairs look up: */
    float2 *difference, *sum; /* [n], [2 n]: half the window function, cosine and sine      */
    float4 *rows;             /* [n]: T of statistics/frequency_pair.h                      */
    float2 *amplitude;        /* [n]                                                        */
    float2 *on_base;          /* [n_base][n]                                                */
    float *power;             /* [n]                                                        */
    /* What is found: */
    backend_pair *tiles; /* [n_bands][n_tiles]: the best pair of each                    */
    unsigned *n_peaks;
    backend_pair *peaks; /* in no order                                                  */
};

#endif
