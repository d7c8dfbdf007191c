/* What core asks of a backend, and all that it knows of one.
 *
 * A backend is a table of functions. Every slot is required unless said otherwise.
 * Functions return a status and set no message: core finds the sentence. They may be
 * called from several threads at once on different states.
 */
#ifndef EQUANT_BACKENDS_BACKEND_H
#define EQUANT_BACKENDS_BACKEND_H

#include <stdbool.h>

#include "equant.h"
#include "model/observation_rows.h"
#include "model/parameter_layout.h"

struct circle_noise; /* statistics/circle_evidence.h */

/* Observations and the description of the model, checked, borrowed during create. */
typedef struct backend_problem {
    observation_rows rows;
    parameter_layout layout;
} backend_problem;

/* Engine options with every default filled in. */
typedef struct backend_engine {
    equant_precision precision;
    equant_solver solver;
    equant_summation summation;
    int n_threads;
    double danby_tolerance;
    int danby_max_iterations;
    equant_implementation implementation; /* split, and a tabulated guess, are asked only of  */
    equant_first_guess first_guess;       /* backends with a device                           */
    int device;                           /* which of several, for backends that have them */
} backend_engine;

/* One eccentricity of a scan. The lowest n_bins bins of the grid take part in it, each cut
 * into n_frequencies, each of these with n_phases values 2 pi k / n_phases of M0 (a multiple
 * of BACKEND_SCAN_PHASES; a circle has but one). */
#define BACKEND_SCAN_PHASES 16
typedef struct backend_scan_layer {
    double eccentricity;
    size_t n_bins, n_frequencies, n_phases;
} backend_scan_layer;

/* Correlated noise of a scan: a process (statistics/noise_process.h) at fixed parameters over rows
 * in the order of time. Blocks are of one to three states, and the propagator of a row, that from
 * the row before, holds the matrices of its blocks one behind the other. */
enum { BACKEND_SCAN_MOST_STATES = 64 };
typedef struct backend_scan_noise {
    size_t n_blocks, n_states;
    size_t propagator_size;     /* of a row: the squares of the blocks' states  */
    const int *block_states;    /* [n_blocks]                                   */
    const double *propagators;  /* [n_obs][propagator_size]; the first is not read */
    const double *u, *w;        /* [n_obs][n_states]                            */
    const double *inverse_root; /* [n_obs]: 1/root D                            */
} backend_scan_noise;

/* A scan for one planet more: at every node (frequency, e, M0) of a grid its two amplitudes
 * are solved for together with whatever the base columns stand for. Whitened: everything is
 * multiplied by the root of the observation's weight; with noise, by the inverse of the triangular
 * root of the covariance, which the backend does to the columns of the nodes. Bin b of width w is
 * centred at first_frequency + b w; frequency j of m in it at
 * first_frequency + (b + (j + 1/2)/m - 1/2) w. */
typedef struct backend_scan {
    size_t n_obs;
    const double *time_days;         /* from the reference time; any order but with noise     */
    const double *root_weight;       /* with noise: 1/root D, zero where a row is no velocity */
    const backend_scan_noise *noise; /* NULL: white                                     */
    const double *residual;          /* whitened velocities, orthogonal to the base              */
    size_t n_base;
    const double *base; /* [n_base][n_obs], whitened, orthonormal              */
    double first_frequency_per_day, bin_width_per_day;
    size_t n_layers;
    const backend_scan_layer *layers;
    bool sums_all; /* no node is left out because an estimate says so: for comparisons */
    /* One for each bin, kept until the scan is closed: where it is zero, a backend that gains by it
     * may say that no node improves anything, or nothing. NULL: all bins are wanted. */
    const unsigned char *wanted;
} backend_scan;

/* The best node of a bin: by how much chi-square falls there. Ties go to the first node in
 * the order of layer, frequency, phase. */
typedef struct backend_scan_node {
    double improvement, frequency_per_day, eccentricity, m0_rad;
} backend_scan_node;

/* What the ellipses of a scan's bins improve by at most, behind white noise: the question of
 * inference/search/scan_prospects.h. The spectrum R of the residual is taken at (i + 1/2) w, w the
 * width of a bin. */
enum { BACKEND_SCAN_MIXTURES = 5 };
typedef struct backend_scan_harmonics {
    size_t n;                             /* of an ellipse; 0: the layer is no ellipse */
    float *shares[BACKEND_SCAN_MIXTURES]; /* [n]: sqrt(q_k / sum q)                    */
} backend_scan_harmonics;

typedef struct backend_scan_prospects {
    size_t n_bins, n_frequencies;            /* of the scan; of the spectrum           */
    size_t most_harmonics;                   /* of a layer                             */
    const backend_scan_harmonics *harmonics; /* [n_layers]                             */
    double half_weight;                      /* half the sum of the weights            */
    double margin, most_lost;                /* as they stand there                    */
    const backend_scan_node *circular;       /* [n_bins]: the best circles             */
} backend_scan_prospects;

/* Scans in pieces: what all bins of a scan share is laid out once. Calls on one state come one at
 * a time. */
typedef struct backend_scans {
    /* The scan is borrowed during create. */
    equant_status (*create)(const backend_engine *engine, const backend_scan *scan, void **state);
    void (*destroy)(void *state);
    /* The best node of each of the bins first_bin ... first_bin + n_bins - 1, n_bins >= 1, over
     * all layers and over circles alone (NULL: not wanted; 0 improvement where no circle is among
     * the layers). Pieces come in any order and size, and change no bit. */
    equant_status (*run)(void *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                         backend_scan_node *circular);
    /* most[n_bins]. Optional: NULL where the caller finds them itself. */
    equant_status (*prospects)(const backend_engine *engine, const backend_scan *scan,
                               const backend_scan_prospects *asked, float *most);
} backend_scans;

/* Two frequencies first + i step and first + j step of a grid, i < j, and by how much chi-square
 * falls with circles of both. */
typedef struct backend_pair {
    float improvement;
    int32_t i, j;
} backend_pair;

/* A map of all pairs: inference/search/joint_map.h, formulas in statistics/frequency_pair.h. Rows i
 * come in bands of `width` from a multiple of it, columns j in tiles of as many. The best pair of a
 * band in a tile is a peak where it is better than those of the tiles beside it; of equal ones the
 * first in the order of j, then i. Borrowed during create. */
typedef struct backend_pair_grid {
    const backend_scan *data; /* of which the members before the grid are read, noise is not */
    double first_frequency_per_day, step_per_day;
    size_t n_frequencies;      /* below 2^30                                             */
    size_t width;              /* of the resolution in steps: members of a pair are so far apart */
    double least_share_left;   /* of the variance of a direction, by the base            */
    double least_independence; /* of one frequency beside the other                      */
} backend_pair_grid;

/* Maps of pairs. Calls on one state come one at a time. Every slot is required. */
typedef struct backend_pairs {
    equant_status (*create)(const backend_engine *engine, const backend_pair_grid *grid,
                            void **state);
    void (*destroy)(void *state);
    /* power[n_frequencies]: what each improves by alone. */
    equant_status (*powers)(void *state, float *power);
    /* Peaks above the threshold of the bands that begin with these rows, in any order; found has
     * room for every second tile of each. */
    equant_status (*peaks)(void *state, size_t n_bands, const int32_t *first_rows, float threshold,
                           backend_pair *found, size_t *n_found);
} backend_pairs;

/* A star's path on the sky, made ready for a scan for an orbit: directions times the roots of
 * weights, the residual whitened and orthogonal to the base, the base orthonormal. Bin b of width w
 * is centred at first_frequency + b w. */
typedef struct sky_scan_source {
    size_t n_rows;
    const double *time_days;     /* from the reference time; any order                       */
    const double *sine, *cosine; /* of the position angle of the row, times its root weight  */
    const double *residual;
    size_t n_base;
    const double *base; /* [n_base][n_rows] */
    double first_frequency_per_day, bin_width_per_day;
    size_t n_bins;
} sky_scan_source;

/* One eccentricity of such a scan: frequencies and phases as those of backend_scan_layer, but
 * phases of any number. Of a source with fewer bins than n_bins all take part, or those centred at
 * no more than the highest frequency, where there is one. */
typedef struct sky_scan_layer {
    double eccentricity;
    size_t n_bins, n_frequencies, n_phases;
    double highest_frequency_per_day; /* 0: none */
} sky_scan_layer;

/* Bins of a source that take part. */
static inline size_t sky_scan_layer_bins(const sky_scan_layer *layer, const sky_scan_source *source)
{
    size_t n = layer->n_bins < source->n_bins ? layer->n_bins : source->n_bins;
    double reached = (layer->highest_frequency_per_day - source->first_frequency_per_day) /
                     source->bin_width_per_day;
    if (!(layer->highest_frequency_per_day > 0.0) || reached >= (double)n)
        return n;
    return reached < 0.0 ? 0 : (size_t)reached + 1 < n ? (size_t)reached + 1 : n;
}

/* gain: by how much chi-square falls, the four Thiele-Innes amplitudes free. */
typedef struct sky_scan_node {
    double gain, frequency_per_day, eccentricity, m0_rad;
} sky_scan_node;

/* Scans of positions, all with the same layers. Calls on one state come one at a time, and sources
 * are borrowed during a call. Results of a source depend on nothing but the source. */
typedef struct backend_sky_scans {
    equant_status (*create)(const backend_engine *engine, size_t n_layers,
                            const sky_scan_layer *layers, void **state);
    void (*destroy)(void *state);
    /* The best node of every bin of n_sources >= 1 sources, those of a source behind those of the
     * one before. Ties go to the first node in the order of layer, frequency, phase. */
    equant_status (*bins)(void *state, size_t n_sources, const sky_scan_source *sources,
                          sky_scan_node *best);
} backend_sky_scans;

/* A grid of frequencies first + i step at which the evidence of a planet more on a circle is
 * wanted: statistics/circle_evidence.h. Borrowed during create. */
typedef struct backend_circle_grid {
    size_t n_obs;
    const double *time_days;
    double first_frequency_per_day, step_per_day;
    size_t n_frequencies;
    size_t most_columns; /* the residual and the basis of the rest */
    size_t n_scales;
    const double *precision; /* [n_scales]: 1 / tau^2 */
} backend_circle_grid;

/* Evidences of circles. Calls on one state come one at a time. Every slot is required. */
typedef struct backend_circles {
    equant_status (*create)(const backend_engine *engine, const backend_circle_grid *grid,
                            void **state);
    void (*destroy)(void *state);
    /* What depends on the noise alone. */
    equant_status (*take_noise)(void *state, const struct circle_noise *noise);
    /* Behind columns [n_columns][n_obs], the evidence factor exp(exponent) of every frequency. */
    equant_status (*run)(void *state, size_t n_columns, const double *columns, double *exponent,
                         double *factor);
} backend_circles;

/* Draws of a posterior that predict velocities after the data; beside white noise there may be a
 * process, of the same blocks in all draws (statistics/noise_process.h). Borrowed during create. */
struct noise_block;
typedef struct backend_forecast {
    size_t n_draws, n_instruments;
    const double *offsets, *jitters;  /* [n_draws][n_instruments]                             */
    size_t n_blocks, n_states;        /* 0: white                                             */
    const struct noise_block *blocks; /* [n_draws][n_blocks]                                 */
    const double *states;             /* [n_draws][n_states + n_states^2]: f and S            */
    const double *own_variances;      /* [n_draws][n_instruments]: of the process alone       */
    double end_days;                  /* of the data                                          */
} backend_forecast;

/* Times after them, on the host but for velocities. */
typedef struct backend_forecast_times {
    size_t n;
    const double *time_days, *variances; /* [n]; of an observation without jitter            */
    const int *instruments;              /* [n]                                              */
    const int *begins_night;             /* [n]                                              */
    const double *velocities;            /* [n_draws][n], of orbits and trend, on the device */
} backend_forecast_times;

/* What is predicted at a time: a mixture of all draws, its density at n points. In nats. */
typedef struct backend_mixture {
    double mean, deviation, entropy, within_draws, bias;
    double first, step;
    size_t n;
} backend_mixture;

/* Calls on one state come one at a time. Every slot is required. */
typedef struct backend_forecasts {
    equant_status (*create)(const backend_engine *engine, const backend_forecast *forecast,
                            void **state);
    void (*destroy)(void *state);
    /* Densities are [n][*stride], of the state, until the next call; *stride is 0, and nothing but
     * the points is told, where they would be too many for the device. */
    equant_status (*run)(void *state, const backend_forecast_times *times,
                         backend_mixture *mixtures, size_t *stride, const double **densities);
} backend_forecasts;

/* What a backend with memory of its own does beside computing. Every slot is required. */
typedef struct backend_device {
    equant_status (*allocate)(int device, size_t n_bytes, void **memory);
    void (*release)(int device, void *memory);
    equant_status (*copy)(int device, size_t n_bytes, const void *from, void *to);
    equant_status (*wait)(int device);
    equant_status (*describe)(int device, equant_device_info *info);
    /* As backend.solve, with all pointers in device memory, returning before it is done. */
    equant_status (*solve)(const backend_engine *engine, size_t n, const double *mean_anomaly_rad,
                           const double *eccentricity, double *eccentric_anomaly_rad, double *sine,
                           double *cosine, void *stream);
    /* Functions that chi-square takes in the engine of a state; index < n_kernels. */
    size_t (*n_kernels)(void *state);
    equant_status (*describe_kernel)(void *state, size_t index, equant_kernel_info *info);
} backend_device;

/* Many data sets under one model, bound together: sets of all of them go in one launch. Problems
 * have one layout and are borrowed during create. Calls on one state come one at a time. Every slot
 * is required. */
typedef struct backend_lists {
    /* EQUANT_ERROR_UNAVAILABLE where a model or an engine is computed for one data set alone. */
    equant_status (*create)(size_t n_problems, const backend_problem *problems,
                            const backend_engine *engine, void **state);
    void (*destroy)(void *state);
    /* Set s belongs to problem_of_set[s]; its results are those of backend.evaluate, to the bit.
     * Velocities and residuals are NULL, other members may be. */
    equant_status (*evaluate)(void *state, size_t n_sets, const size_t *problem_of_set,
                              const double *parameters, const equant_results *results);
} backend_lists;

/* Walkers of a sampler in memory of a backend's own: their whole step is made there. The arrays
 * are those of statistics/ensemble_rows.h, on the host in memory of the caller. */
struct ensemble;
struct coordinate_map;

/* What steps add to; begun anew by uploading zeros. */
typedef struct backend_walker_sums {
    uint64_t *n_accepted;  /* [n_temperatures][ENSEMBLE_N_MOVES], but of walkers drawn
                              from the prior                                        */
    double *rejection;     /* [n_temperatures - 1][n_populations]: of swaps         */
    uint64_t *round_trips; /* [n_populations]                                       */
} backend_walker_sums;

/* What travels: any of these. */
enum {
    BACKEND_WALKERS_ALL = 1,  /* coordinates, prior, likelihood and leg of all walkers      */
    BACKEND_WALKERS_SUMS = 2, /* the sums; to the device, the ladder too                    */
    BACKEND_WALKERS_COLD = 4  /* from the device: parameter sets, prior and likelihood of the
                                 first temperature                                          */
};

/* Calls on one set of walkers come one at a time. Every slot is required. */
typedef struct backend_walkers {
    /* Room for walkers of this shape, whose likelihood a state has and whose prior a map, both
     * of the same model with everything given. Nothing is uploaded. The state must outlive
     * them. */
    equant_status (*create)(void *state, const backend_engine *engine,
                            const struct ensemble *on_host, const struct coordinate_map *map,
                            void **walkers);
    void (*destroy)(void *walkers);
    equant_status (*upload)(void *walkers, unsigned fields, const struct ensemble *from,
                            const backend_walker_sums *sums);
    /* Both halves with one ensemble_move, then swaps. May return before it is done. */
    equant_status (*step)(void *walkers, uint64_t step, int move);
    equant_status (*download)(void *walkers, unsigned fields, const struct ensemble *to,
                              const backend_walker_sums *sums, double *cold_parameters);
} backend_walkers;

/* Systems of planets that attract each other, from states at an epoch: physics/nbody_map.h. A
 * system is the star's mass, then for each planet mass, position and velocity in Jacobi coordinates
 * (solar masses, au, days). */
enum { BACKEND_NBODY_MOST_PLANETS = 10, BACKEND_NBODY_PLANET = 7 };
typedef enum backend_nbody_end {
    BACKEND_NBODY_FINE = 0,
    BACKEND_NBODY_ENCOUNTER = 1, /* two bodies came closer than the map is made for: results are
                                    finite, and not exact                                      */
    BACKEND_NBODY_COLLISION = 2, /* two bodies touched: results are NaN                        */
    BACKEND_NBODY_UNBOUND = 3,   /* a planet left its orbit: results are NaN                   */
    BACKEND_NBODY_FAILED = 4     /* no numbers, or a step too long for an orbit: NaN           */
} backend_nbody_end;

/* Transits of one system that are wanted. Transit 0 of a planet is the one nearest to zero_days by
 * the period, and others count from it. */
enum { BACKEND_NBODY_TRANSIT = 3 };
typedef struct backend_nbody_transits {
    struct backend_nbody_numbers {
        double zero_days, period_days; /* since the epoch */
        int first;                     /* number that is wanted, n of them */
        size_t n;
        const int *rows; /* [n]: where the results of a number go, -1: nowhere */
    } planet[BACKEND_NBODY_MOST_PLANETS];
    double *values; /* [][3]: time since the epoch, distance (au) and speed (au/day) on the sky
                       from the star; rows that are not reached are left alone */
    double *slopes; /* [][n_directions][3] */
} backend_nbody_transits;

typedef struct backend_nbody_plan {
    size_t n_planets;
    double step_days; /* of the map */
    size_t n_times;
    const double *time_days;                /* since the epoch, ascending */
    const backend_nbody_transits *transits; /* NULL: none; of a single system with derivatives */
    bool is_exact; /* by extrapolation instead of the map: slow, for close approaches too */
} backend_nbody_plan;

/* n_systems >= 1. States and velocities may be NULL. Results of a system depend on nothing but the
 * plan and the system. */
typedef struct backend_nbody {
    /* velocities_m_s [n_systems][n_times]: with which the star recedes; states
     * [n_systems][n_times][n_planets][6]; ends [n_systems]. */
    equant_status (*integrate)(const backend_engine *engine, const backend_nbody_plan *plan,
                               size_t n_systems, const double *systems, double *velocities_m_s,
                               double *states, int *ends);
    /* Of one system each by the map, in n_directions directions
     * [n_systems][n_directions][n_planets][7]: the jacobian [n_systems][n_directions][n_times] of
     * the velocities. */
    equant_status (*differentiate)(const backend_engine *engine, const backend_nbody_plan *plan,
                                   size_t n_systems, const double *systems, size_t n_directions,
                                   const double *directions, double *velocities_m_s,
                                   double *jacobian, int *ends);
} backend_nbody;

typedef struct backend {
    const char *name; /* "cpu/avx512" */
    const char *description;
    bool (*available)(void); /* asked once per use: keep it cheap */
    /* Optional: how many devices "NAME:0", "NAME:1" ... there are; NULL means no such names. */
    int (*n_devices)(void);
    /* Optional: the sentence for the last failure on this thread. */
    const char *(*explain)(void);

    equant_status (*create)(const backend_problem *problem, const backend_engine *engine,
                            void **state);
    void (*destroy)(void *state);
    /* n_sets >= 1; any member of results may be NULL. */
    equant_status (*evaluate)(void *state, size_t n_sets, const double *parameters,
                              const equant_results *results);
    /* Optional: the same with all pointers in device memory, on a stream of the backend's
     * kind, returning before it is done. NULL: there is no device memory. */
    equant_status (*evaluate_on_device)(void *state, size_t n_sets, const double *parameters,
                                        const equant_results *results, void *stream);
    /* Optional: derivatives at n_sets >= 1 sets, in double only; nuisance parameters that the
     * problem solves for are eliminated; members of derivatives may be NULL. NULL: core asks a
     * processor backend. */
    equant_status (*differentiate)(void *state, equant_basis basis, size_t n_sets,
                                   const double *parameters, const equant_derivatives *derivatives);
    /* n >= 1; any output may be NULL. */
    equant_status (*solve)(const backend_engine *engine, size_t n, const double *mean_anomaly_rad,
                           const double *eccentricity, double *eccentric_anomaly_rad, double *sine,
                           double *cosine);
    /* Optional: NULL where core has a state for each data set. */
    const backend_lists *lists;
    /* Optional: NULL where core has to ask a processor backend. */
    const backend_scans *scans;
    /* Optional, in the same way. */
    const backend_sky_scans *sky_scans;
    /* Optional: NULL where the caller maps them. */
    const backend_pairs *pairs;
    /* Optional: NULL where the caller computes them. */
    const backend_circles *circles;
    /* Optional, in the same way. */
    const backend_forecasts *forecasts;
    /* Optional, in the same way: core asks a processor backend. */
    const backend_nbody *nbody;
    /* Optional: NULL where there is no device memory. */
    const backend_device *device;
    /* Optional: NULL where walkers stay with the caller. */
    const backend_walkers *walkers;
} backend;

/* All backends of this build, best first. */
extern const backend *const backend_list[];
extern const size_t backend_list_length;

#endif
