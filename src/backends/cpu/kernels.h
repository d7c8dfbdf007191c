/* The loops of one machine in one precision, as the CPU backend calls them. Each
 * translation unit MACHINE_PRECISION.c defines one such table. */
#ifndef EQUANT_BACKENDS_CPU_KERNELS_H
#define EQUANT_BACKENDS_CPU_KERNELS_H

#include <stddef.h>

#include "backends/backend.h"

/* Arrays over observations are padded to a multiple of this, the widest lane group,
 * so that no loop has a ragged end. */
#define CPU_PADDING 16
/* Parameter sets that are prepared together: enough planets to fill the lanes. */
#define CPU_TILE 16
/* Observations between the stages of the velocity loop: small enough for the first
 * level of cache, large enough to hide latency. */
#define CPU_BLOCK 256

/* The observations that one instrument made: a run of the padded arrays, which are
 * in instrument order. Runs start and end at multiples of CPU_PADDING and may share
 * a stretch with a neighbour, whose weights are zero here. */
typedef struct cpu_segment {
    size_t first, n_padded;
    size_t storage;       /* where its weights and variances start */
    size_t next_row;      /* where its next observation goes, while being filled */
    double reference_m_s; /* subtracted from its velocities before they are narrowed */
    size_t n_obs;
    double log_variances; /* sum of ln sigma^2 */
    double W[5];          /* moments of its weights without jitter */
} cpu_segment;

/* Everything that does not change between calls. "real" arrays hold float or double
 * as the precision says. */
typedef struct cpu_problem {
    size_t n_obs, n_padded, n_storage;
    void *time_wide;         /* [n_padded] */
    void *time_low;          /* [n_padded] wide: what time_wide lacks, for pairs */
    void *time_real;         /* [n_padded] */
    void *velocity;          /* [n_padded] real */
    void *weight;            /* [n_storage] real: 1/variance, zero outside the segment */
    void *variance;          /* [n_storage] real: infinite outside the segment */
    double *variance_double; /* [n_storage] */
    double *observed;        /* [n_padded] as given */
    double *time;            /* [n_padded] */
    size_t *row;             /* [n_obs]: place in the padded arrays of observation k */
    size_t *instrument;      /* [n_obs] */
    size_t n_segments;
    cpu_segment *segments;
    double time_middle, time_scale, period_floor_days; /* see time_frame.h */

    size_t n_planets, n_parameters, n_linear;
    int trend_order;
    bool offsets_given, trend_given, with_jitter;
    backend_engine engine;
} cpu_problem;

/* Working memory of one thread. */
typedef struct cpu_scratch {
    double *elements;               /* [5][planets of a tile, padded]             */
    double *constants;              /* [n_constants][planets of a tile, padded]   */
    void *planets;                  /* [n_padded] real: velocity of all planets   */
    void *planets_low;              /* [n_padded] real: its compensation          */
    void *weights;                  /* [n_storage] real: weights with jitter      */
    double *offsets;                /* [n_segments]                               */
    struct linear_moments *moments; /* [n_segments] */
} cpu_scratch;

/* The rows of `results` that start at set `first`. */
static inline equant_results cpu_results_from(const cpu_problem *problem,
                                              const equant_results *results, size_t first)
{
    equant_results rows = *results;
    rows.chi_square = rows.chi_square ? rows.chi_square + first : NULL;
    rows.log_likelihood = rows.log_likelihood ? rows.log_likelihood + first : NULL;
    rows.linear = rows.linear ? rows.linear + first * problem->n_linear : NULL;
    rows.velocities = rows.velocities ? rows.velocities + first * problem->n_obs : NULL;
    rows.residuals = rows.residuals ? rows.residuals + first * problem->n_obs : NULL;
    return rows;
}

typedef struct cpu_kernels {
    size_t real_size, wide_size, n_constants;
    /* At most CPU_TILE sets; pointers of `results` are those of the first of them. */
    void (*evaluate)(const cpu_problem *problem, size_t n_sets, const double *parameters,
                     const equant_results *results, const cpu_scratch *scratch);
    /* Any n; outputs may be NULL. */
    void (*solve)(const backend_engine *engine, size_t n, const double *mean_anomaly_rad,
                  const double *eccentricity, double *eccentric_anomaly_rad, double *sine,
                  double *cosine);
} cpu_kernels;

#endif
