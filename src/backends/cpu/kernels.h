/* The loops of one machine in one precision, as the CPU backend calls them. Each
 * translation unit machines/MACHINE_PRECISION.c defines one such table. */
#ifndef EQUANT_BACKENDS_CPU_KERNELS_H
#define EQUANT_BACKENDS_CPU_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/backend.h"
#include "physics/linear_nuisance.h"
#include "physics/noise_plan.h"

/* Arrays over observations are padded to a multiple of this, the widest lane group,
 * so that no loop has a ragged end. */
#define CPU_PADDING 16
/* Parameter sets that are prepared together: enough planets to fill the lanes. */
#define CPU_TILE 16
/* Observations between the stages of the velocity loop: small enough for the first
 * level of cache, large enough to hide latency. */
#define CPU_STRIP 256
/* Columns of a Jacobian that are multiplied with each other at a time. */
#define CPU_PANEL 4

/* Linear terms that may be solved for beside correlated noise. */
#define CPU_NOISE_MOST_SOLVED 64

/* The observations that one instrument made: a run of the padded arrays, which are
 * in instrument order. Runs start and end at multiples of CPU_PADDING and may share
 * a stretch with a neighbour, whose weights are zero here. */
typedef struct cpu_segment {
    size_t first, n_padded;
    size_t storage;       /* where its weights and variances start */
    size_t next_row;      /* where its next observation goes, while being filled */
    double reference_m_s; /* subtracted from its velocities before they are narrowed */
    size_t n_obs;
    double log_variances;              /* sum of ln sigma^2 */
    double W[LINEAR_N_WEIGHT_MOMENTS]; /* moments of its weights without jitter */
} cpu_segment;

struct cpu_problem;

/* chi-square and ln |C| of one group of sets or two, each of as many as a group of doubles has
 * lanes. words [n_groups][n_words][lanes]; jitters [n_groups][n_segments][lanes] or NULL; residuals
 * [n_groups][n_obs][lanes] in the order of time. A chi-square that is NaN: there is no such
 * covariance. */
#define CPU_NOISE_GROUPS 2
typedef void cpu_noise_loop(const struct cpu_problem *problem, size_t n_groups, const double *words,
                            const double *jitters, const double *residuals, double *chi_square,
                            double *log_determinant);
/* Of one group: the normal equations [n_solved][n_solved + 1][lanes] of the linear terms that are
 * solved for; the last column is that of the residuals. states: [n_solved][n_states][lanes] for its
 * own use. */
typedef void cpu_noise_normal(const struct cpu_problem *problem, const double *words,
                              const double *jitters, const double *residuals, double *states,
                              double *normal);

/* The loop for a plan; NULL from those for just so many blocks where there is only the one for any
 * number. */
typedef cpu_noise_loop *cpu_noise_special(const noise_plan *plan);
extern cpu_noise_special cpu_noise_special_avx2, cpu_noise_special_avx512, cpu_noise_special_neon,
    cpu_noise_special_wasm;

/* Correlated noise: rows in the order of time. Nothing of it is there in a model without. */
typedef struct cpu_noise {
    noise_plan plan;
    size_t n_words, n_states;
    double *gap, *variance, *tau; /* [n_obs]: days since the row before; sigma^2; scaled time */
    int *place, *owner;           /* [n_obs]: of its night; its instrument */
    int n_places;
    bool *begins_night;         /* [n_obs] */
    unsigned *seen, *forgotten; /* [n_obs]: blocks that the row sees, and that it begins anew */
    size_t n_solved, solved[CPU_NOISE_MOST_SOLVED]; /* linear terms that are not given */
    cpu_noise_loop *loop;                           /* of the machine */
    cpu_noise_normal *normal;
} cpu_noise;

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
    cpu_noise noise;

    parameter_layout layout;
    backend_engine engine;
} cpu_problem;

/* Working memory of one thread. */
typedef struct cpu_scratch {
    double *elements;               /* [N_ELEMENTS][planets of a tile, padded]             */
    double *constants;              /* [n_constants][planets of a tile, padded]   */
    void *planets;                  /* [n_padded] real: velocity of all planets   */
    void *planets_low;              /* [n_padded] real: its compensation          */
    void *weights;                  /* [n_storage] real: weights with jitter      */
    double *offsets;                /* [n_segments]                               */
    struct linear_moments *moments; /* [n_segments] */
    /* For correlated noise, [groups][..][lanes]: words, jitters, residuals; of one group, the
     * columns that are solved for and their normal equations; offsets and trend of each lane. */
    double *noise_words, *noise_jitters, *noise_residuals, *noise_states, *noise_normal;
    double *noise_linear; /* [groups * lanes][n_segments + 2] */
} cpu_scratch;

/* The rows of `results` that start at set `first`. */
static inline equant_results cpu_results_from(const cpu_problem *problem,
                                              const equant_results *results, size_t first)
{
    equant_results rows = *results;
    rows.chi_square = rows.chi_square ? rows.chi_square + first : NULL;
    rows.log_likelihood = rows.log_likelihood ? rows.log_likelihood + first : NULL;
    rows.linear = rows.linear ? rows.linear + first * problem->layout.n_linear : NULL;
    rows.velocities = rows.velocities ? rows.velocities + first * problem->n_obs : NULL;
    rows.residuals = rows.residuals ? rows.residuals + first * problem->n_obs : NULL;
    return rows;
}

/* What derivatives need for correlated noise; columns are [n_obs] in the order of time. */
typedef struct cpu_noise_derivatives {
    double *raw, *white;                      /* [n_columns][n_obs]                      */
    double *matrix;                           /* [n_columns][n_columns]                  */
    double *states;                           /* [n_columns][n_states]                   */
    double *kept;                             /* [n_obs][noise_state_size]               */
    double *values, *variances, *by_variance; /* [n_obs]                                 */
    double *jitters;                          /* [n_segments]                            */
    double *gradients;                        /* [2][n_parameters]                       */
} cpu_noise_derivatives;

/* What derivatives need beside: the columns of the Jacobian as derivative_loop.h orders
 * them, and the matrix of their products. */
typedef struct cpu_derivative_scratch {
    size_t n_columns, column_stride, matrix_size;
    double *constants; /* [n_derivative_constants][planets of a tile, padded] */
    double *columns;   /* [n_columns][column_stride], at least n_padded       */
    double *weights;   /* [n_padded]: of all instruments                      */
    double *matrix;    /* [matrix_size][matrix_size]                          */
    size_t *places;    /* [n_parameters]: where parameters are in the matrix  */
    cpu_noise_derivatives noise;
} cpu_derivative_scratch;

/* Columns of a Jacobian that belong to orbits: its first. */
static inline size_t cpu_orbit_columns(const cpu_problem *problem)
{
    return problem->layout.columns[TERM_ORBITS].n;
}

/* The column of the residuals: behind those of orbits and trend. */
static inline size_t cpu_residual_column(const cpu_problem *problem)
{
    return cpu_orbit_columns(problem) + (size_t)problem->layout.trend_order;
}

/* The rows of `derivatives` that start at set `first`. */
static inline equant_derivatives cpu_derivatives_from(const cpu_problem *problem,
                                                      const equant_derivatives *derivatives,
                                                      size_t first)
{
    equant_derivatives rows = *derivatives;
    size_t n = problem->layout.n_parameters;
    rows.chi_square = rows.chi_square ? rows.chi_square + first : NULL;
    rows.log_likelihood = rows.log_likelihood ? rows.log_likelihood + first : NULL;
    rows.chi_square_gradient =
        rows.chi_square_gradient ? rows.chi_square_gradient + first * n : NULL;
    rows.log_likelihood_gradient =
        rows.log_likelihood_gradient ? rows.log_likelihood_gradient + first * n : NULL;
    rows.fisher = rows.fisher ? rows.fisher + first * n * n : NULL;
    rows.jacobian = rows.jacobian ? rows.jacobian + first * n * problem->n_obs : NULL;
    return rows;
}

struct cpu_scan;
struct cpu_scan_scratch;
/* Estimates of what the nodes of a bin improve, for layers that are folded. */
typedef void cpu_fold_bin(const struct cpu_scan *scan, size_t bin,
                          const struct cpu_scan_scratch *scratch, float *estimates);

struct cpu_sky_source;

typedef struct cpu_kernels {
    size_t real_size, wide_size, n_constants, n_derivative_constants;
    /* At most CPU_TILE sets; pointers of `results` are those of the first of them. */
    void (*evaluate)(const cpu_problem *problem, size_t n_sets, const double *parameters,
                     const equant_results *results, const cpu_scratch *scratch);
    /* Any n; outputs may be NULL. */
    void (*solve)(const backend_engine *engine, size_t n, const double *mean_anomaly_rad,
                  const double *eccentricity, double *eccentric_anomaly_rad, double *sine,
                  double *cosine);
    /* The same for derivatives; NULL but in double. */
    void (*differentiate)(const cpu_problem *problem, equant_basis basis, size_t n_sets,
                          const double *parameters, const equant_derivatives *derivatives,
                          const cpu_scratch *scratch, const cpu_derivative_scratch *memory);
    /* Of correlated noise; NULL but in double, which serves all precisions. */
    cpu_noise_special *noise_general; /* a loop for any plan */
    cpu_noise_normal *noise_normal;
    cpu_noise_special *noise_special; /* NULL: the machine has none */
    /* The best nodes of n_bins >= 1 bins, at most CPU_PADDING; circular may be NULL. */
    void (*scan)(const struct cpu_scan *scan, size_t first_bin, size_t n_bins,
                 const struct cpu_scan_scratch *scratch, backend_scan_node *best,
                 backend_scan_node *circular);
    /* NULL but in mixed, which serves all precisions; for rows of so many lanes. */
    cpu_fold_bin *fold;
    size_t n_fold_lanes;
    /* Gains of nodes of a sky scan, all of them beyond STARTER_ECCENTRICITY_MAX or none. NULL but
     * in double and mixed. */
    void (*sky)(const struct cpu_sky_source *source, size_t n_nodes, sky_scan_node *nodes);
} cpu_kernels;

#endif
