/* equant: which orbits explain these radial velocities?
 *
 * This header is the whole stable C API, and its manual. It reads from simple
 * to advanced:
 *
 *   1. status and errors          every call answers with an equant_status
 *   2. library and machine        version, backends found on this machine
 *   3. data sets                  observations, from arrays or from files
 *   4. models                     how many planets, which nuisance parameters
 *   5. evaluators                 parameter sets in; chi-square, velocities out
 *   6. Kepler's equation alone    arrays of (M, e) in; E, sin E, cos E out; devices
 *   7. random numbers             counter-based: same seed, same draws
 *   8. random orbits              the distributions of Ford (2008)
 *   9. derivatives                gradients and Gauss-Newton matrices of batches
 *  10. search                     the Keplerian periodogram and its peaks
 *  11. fit                        the planets of a star, without a starting guess
 *  12. priors                     what is believed of parameters before the data
 *  13. sampling                   the posterior: how well the planets are known
 *  14. targets                    the posterior as a function, for samplers of others
 *
 * Conventions, everywhere:
 *   times in days, velocities in m/s, angles in radians;
 *   orbital elements are those of the star's motion, velocity positive away
 *   from us:  v(t) = sum_p K_p [cos(nu_p + omega_p) + e_p cos omega_p]
 *                    + offset of the instrument + trend,
 *   mean anomaly  M(t) = 2 pi (t - t_ref) / P + M0,
 *   trend  d1 (t - t_ref) + d2 (t - t_ref)^2,
 *   where t_ref is the reference time that the data set owns.
 *
 * The library never prints, never aborts, never exits and reads no environment
 * variable; the OpenMP run-time that it uses for threads may do these things,
 * for instance when the system refuses a thread. Outputs are written only on
 * success. Objects are immutable after creation unless said otherwise, and may
 * then be shared between threads. Freeing NULL is allowed.
 *
 * Options are structs whose first member is struct_size: set it to sizeof of
 * the struct and everything else to zero for the defaults. Structs only ever
 * grow at their end.
 *
 *     equant_engine_options engine = {.struct_size = sizeof engine};
 */
#ifndef EQUANT_H
#define EQUANT_H

#include <stddef.h>
#include <stdint.h>

#define EQUANT_VERSION_MAJOR 0
#define EQUANT_VERSION_MINOR 1
#define EQUANT_VERSION_PATCH 0
#define EQUANT_VERSION_STRING "0.1.0"

#if defined(_WIN32)
#define EQUANT_API
#else
#define EQUANT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------ */
/* 1. Status and errors                                                      */

/* 0 is the only success. Values are pinned and never reused. */
typedef enum equant_status {
    EQUANT_SUCCESS = 0,
    EQUANT_ERROR_INVALID_ARGUMENT = 1, /* a call that cannot be meant        */
    EQUANT_ERROR_OUT_OF_MEMORY = 2,
    EQUANT_ERROR_IO = 3,          /* a file that cannot be opened or read    */
    EQUANT_ERROR_FORMAT = 4,      /* a file whose contents make no sense     */
    EQUANT_ERROR_UNAVAILABLE = 5, /* a backend this machine or build lacks   */
    EQUANT_ERROR_CANCELLED = 6,   /* a progress callback asked to stop       */
    EQUANT_ERROR_DEVICE = 7,      /* an accelerator failed                   */
    EQUANT_ERROR_INTERNAL = 8     /* a defect in equant: please report it    */
} equant_status;

/* The sentence for a person about the last failure on the calling thread;
 * "" when there was none. For files it begins "FILE:LINE: ". Valid until the
 * next failing call on this thread. */
EQUANT_API const char *equant_last_error(void);

/* A fixed short name of a status, e.g. "invalid argument". Never NULL. */
EQUANT_API const char *equant_status_name(equant_status status);

/* ------------------------------------------------------------------------ */
/* 2. Library and machine                                                    */

/* Version of the library that is running, e.g. "0.1.0". */
EQUANT_API const char *equant_version(void);

/* What one backend is, for listing. Strings are static. */
typedef struct equant_backend_info {
    size_t struct_size;
    const char *name;        /* "cpu/avx512"; what engine options take       */
    const char *description; /* one line for a person                        */
    int available;           /* 1 when this machine can run it               */
    int is_default;          /* 1 for the one chosen by backend = NULL       */
} equant_backend_info;

/* Number of backends built into this library, best first. */
EQUANT_API size_t equant_backend_count(void);

/* Describes backend `index` (< equant_backend_count()). */
EQUANT_API equant_status equant_backend_describe(size_t index, equant_backend_info *info);

/* Number of threads that n_threads = 0 means on this machine. */
EQUANT_API int equant_default_threads(void);

/* ------------------------------------------------------------------------ */
/* 3. Data sets                                                              */

/* Observations of one star by one or more instruments, sorted by time. */
typedef struct equant_dataset equant_dataset;

typedef enum equant_unit {
    EQUANT_UNIT_FROM_FILE = 0, /* header of the file, else a guess with a warning */
    EQUANT_UNIT_M_S = 1,
    EQUANT_UNIT_KM_S = 2
} equant_unit;

typedef struct equant_dataset_options {
    size_t struct_size;
    equant_unit velocity_unit;  /* of the input; forces, where not FROM_FILE */
    int has_reference_time;     /* 1: take the next member; 0: choose       */
    double reference_time_days; /* t_ref, on the time scale of the input    */
} equant_dataset_options;

/* Makes a data set from arrays of length n_obs (copied; n_obs >= 1).
 * instrument[k] in [0, n_instruments) says who made observation k; NULL means
 * one instrument. instrument_names has n_instruments entries, or is NULL.
 * Times may be unsorted and may repeat. Not finite values and uncertainties
 * <= 0 are EQUANT_ERROR_INVALID_ARGUMENT. options may be NULL. Velocities and
 * uncertainties are in m/s unless options->velocity_unit says km/s. The caller
 * frees *dataset with equant_dataset_free. */
EQUANT_API equant_status equant_dataset_from_arrays(
    size_t n_obs, const double *time_days, const double *velocity, const double *uncertainty,
    const int *instrument, size_t n_instruments, const char *const *instrument_names,
    const equant_dataset_options *options, equant_dataset **dataset);

/* Reads files; formats are recognised by their contents (docs/formats.md).
 * Several files without instrument columns are several instruments. What was
 * guessed is in the warnings. Errors name file and line. */
EQUANT_API equant_status equant_dataset_from_files(size_t n_files, const char *const *paths,
                                                   const equant_dataset_options *options,
                                                   equant_dataset **dataset);

/* The same for one file's bytes already in memory; `name` stands for the path
 * in messages and instrument names. */
EQUANT_API equant_status equant_dataset_from_text(const char *text, size_t n_bytes,
                                                  const char *name,
                                                  const equant_dataset_options *options,
                                                  equant_dataset **dataset);

/* The embedded demonstration: HD 164922, 401 velocities (Fulton et al. 2016). */
EQUANT_API equant_status equant_dataset_demonstration(equant_dataset **dataset);

EQUANT_API void equant_dataset_free(equant_dataset *dataset);

/* Views into the data set, sorted by time (equal times keep their order),
 * valid until it is freed. Times are as given; velocities and uncertainties
 * are in m/s whatever the file's unit was. */
EQUANT_API size_t equant_dataset_n_obs(const equant_dataset *dataset);
EQUANT_API const double *equant_dataset_times_days(const equant_dataset *dataset);
EQUANT_API const double *equant_dataset_velocities_m_s(const equant_dataset *dataset);
EQUANT_API const double *equant_dataset_uncertainties_m_s(const equant_dataset *dataset);
EQUANT_API const int *equant_dataset_instruments(const equant_dataset *dataset);
EQUANT_API double equant_dataset_reference_time_days(const equant_dataset *dataset);

EQUANT_API size_t equant_dataset_n_instruments(const equant_dataset *dataset);
/* NULL when index is out of range. */
EQUANT_API const char *equant_dataset_instrument_name(const equant_dataset *dataset, size_t index);
/* Observations of instrument `index`; 0 when out of range. */
EQUANT_API size_t equant_dataset_instrument_n_obs(const equant_dataset *dataset, size_t index);

/* Unit in which the velocities were read: M_S or KM_S. With files of both
 * kinds, that of the first. */
EQUANT_API equant_unit equant_dataset_unit(const equant_dataset *dataset);
/* What the reader recognised, e.g. "RadVel table"; "" for arrays. */
EQUANT_API const char *equant_dataset_format(const equant_dataset *dataset);
/* Things a person should know: guesses made, rows left out. */
EQUANT_API size_t equant_dataset_n_warnings(const equant_dataset *dataset);
EQUANT_API const char *equant_dataset_warning(const equant_dataset *dataset, size_t index);

/* ------------------------------------------------------------------------ */
/* 4. Models                                                                 */

/* Which parameters describe a star: the columns of a parameter set. */
typedef struct equant_model equant_model;

/* Elements of a planet, and their places among its columns. */
#define EQUANT_N_ELEMENTS 5
typedef enum equant_element {
    EQUANT_ELEMENT_PERIOD = 0, /* period_days                                   */
    EQUANT_ELEMENT_K = 1,      /* k_m_s                                         */
    EQUANT_ELEMENT_ECCENTRICITY = 2,
    EQUANT_ELEMENT_OMEGA = 3, /* omega_rad                                      */
    EQUANT_ELEMENT_M0 = 4     /* m0_rad                                         */
} equant_element;

typedef enum equant_nuisance {
    EQUANT_NUISANCE_SOLVED = 0, /* left out of the parameter sets; found exactly
                                   for each of them by weighted least squares  */
    EQUANT_NUISANCE_GIVEN = 1   /* columns of the parameter sets               */
} equant_nuisance;

typedef struct equant_model_options {
    size_t struct_size;
    size_t n_planets;        /* 0 to 100,000                                   */
    size_t n_instruments;    /* 0 means 1; must equal the data set's           */
    int trend_order;         /* 0 none, 1 linear, 2 quadratic                  */
    equant_nuisance offsets; /* one per instrument                             */
    equant_nuisance trend;
    int with_jitter; /* 1: one jitter column per instrument, added in
                        quadrature to the uncertainties                */
} equant_model_options;

EQUANT_API equant_status equant_model_create(const equant_model_options *options,
                                             equant_model **model);
EQUANT_API void equant_model_free(equant_model *model);

/* Columns of one parameter set, in this order:
 *   for each planet: period_days, k_m_s, eccentricity, omega_rad, m0_rad;
 *   offsets in m/s, one per instrument, where they are given;
 *   trend in m/s/day, m/s/day^2, where it is given;
 *   jitter in m/s, one per instrument, where the model has it. */
EQUANT_API size_t equant_model_n_parameters(const equant_model *model);
/* "period_days_1", ..., "offset_m_s_1", "trend_m_s_day", "jitter_m_s_1"; NULL
 * when out of range. Valid until the model is freed. */
EQUANT_API const char *equant_model_parameter_name(const equant_model *model, size_t column);
/* Linear parameters, given or solved: offsets first, then trend terms. */
EQUANT_API size_t equant_model_n_linear(const equant_model *model);
EQUANT_API size_t equant_model_n_planets(const equant_model *model);

/* ------------------------------------------------------------------------ */
/* 5. Evaluators                                                             */

typedef enum equant_precision {
    EQUANT_PRECISION_DOUBLE = 0,
    EQUANT_PRECISION_MIXED = 1,  /* phase in double, the rest in single        */
    EQUANT_PRECISION_SINGLE = 2, /* everything in single: for comparison only  */
    EQUANT_PRECISION_PAIR = 3    /* phase in pairs of singles, the rest single */
} equant_precision;

typedef enum equant_solver {
    EQUANT_SOLVER_FAST = 0, /* no iteration: a starter and one high-order step */
    EQUANT_SOLVER_DANBY = 1 /* the iteration of Ford (2008), after Danby       */
} equant_solver;

typedef enum equant_summation {
    EQUANT_SUMMATION_PLAIN = 0,
    EQUANT_SUMMATION_COMPENSATED = 1 /* Kahan, for velocities and chi-square   */
} equant_summation;

typedef enum equant_implementation {
    EQUANT_IMPLEMENTATION_FUSED = 0, /* one function from parameters to chi-square */
    EQUANT_IMPLEMENTATION_SPLIT = 1  /* Ford (2008): mean anomaly, eccentric anomaly, velocity
                                        and chi-square one after the other, their arrays in
                                        device memory: for comparison, on GPUs only   */
} equant_implementation;

typedef enum equant_first_guess {
    EQUANT_FIRST_GUESS_COMPUTED = 0,
    EQUANT_FIRST_GUESS_TABULATED = 1 /* Ford (2008): of the danby solver, from a texture:
                                        for comparison, on GPUs only                  */
} equant_first_guess;

/* How to compute. Shared by evaluators and equant_kepler_solve. */
typedef struct equant_engine_options {
    size_t struct_size;
    const char *backend; /* NULL or "auto": the processor, and a GPU for batches
                            large enough to gain (some 1e6 sets x planets x
                            observations); "cpu", "cpu/scalar", "cpu/avx2",
                            "cpu/avx512", "cpu/neon", "cuda", "cuda:1"  */
    equant_precision precision;
    equant_solver solver;
    equant_summation summation;
    int n_threads;            /* 0: all that the machine offers              */
    double danby_tolerance;   /* stop at |f| up to this; 0 means 1e-6        */
    int danby_max_iterations; /* 0 means 10                                  */
    equant_implementation implementation;
    equant_first_guess first_guess;
} equant_engine_options;

/* A data set and a model bound to an engine, with its working memory. One
 * call at a time per evaluator; make several to call from several threads. */
typedef struct equant_evaluator equant_evaluator;

/* Copies what it needs: data set and model may be freed afterwards. options
 * may be NULL. Uncertainties must lie between 1e-15 and 1e15 m/s. */
EQUANT_API equant_status equant_evaluator_create(const equant_dataset *dataset,
                                                 const equant_model *model,
                                                 const equant_engine_options *options,
                                                 equant_evaluator **evaluator);
EQUANT_API void equant_evaluator_free(equant_evaluator *evaluator);

/* Full name of the backend in use, e.g. "cpu/avx512"; where none was named, that of
 * small batches. Static. */
EQUANT_API const char *equant_evaluator_backend(const equant_evaluator *evaluator);

/* Where results go; NULL members are not computed. Memory is the caller's. */
typedef struct equant_results {
    size_t struct_size;
    double *chi_square;     /* [n_sets]                                        */
    double *log_likelihood; /* [n_sets], Gaussian, with its normalisation      */
    double *linear;         /* [n_sets][n_linear]: offsets, then trend, as given
                               or as solved; zero where the data do not say    */
    double *velocities;     /* [n_sets][n_obs] predicted, in the data's order  */
    double *residuals;      /* [n_sets][n_obs] observed minus predicted        */
} equant_results;

/* Evaluates n_sets parameter sets, [n_sets][n_parameters] row by row.
 *
 * A set outside the domain (e < 0, e >= 1, P <= 0 or so short that the data hold
 * more than 2^50 periods, a jitter < 0, anything not finite) gets chi-square
 * +inf, log-likelihood -inf and NaN elsewhere, and does not disturb its
 * neighbours. With a named backend each result depends on its own set alone: not
 * on n_sets, its place, or the number of threads. Without a name large batches may
 * go to a GPU, and last digits differ between small and large ones: name a backend
 * where that matters. n_sets = 0 does nothing. */
EQUANT_API equant_status equant_evaluator_evaluate(equant_evaluator *evaluator, size_t n_sets,
                                                   const double *parameters,
                                                   const equant_results *results);

/* The same for parameters and results in the memory of the evaluator's device, on
 * a stream of its kind (a cudaStream_t as void *; NULL: the default stream).
 * Returns before the work is done; the stream's order says when it is. The backend
 * must have been named; one without device memory answers EQUANT_ERROR_UNAVAILABLE. */
EQUANT_API equant_status equant_evaluator_evaluate_on_device(equant_evaluator *evaluator,
                                                             size_t n_sets,
                                                             const double *parameters,
                                                             const equant_results *results,
                                                             void *stream);

/* A function that an evaluator launches on its device, as the driver describes it. */
typedef struct equant_kernel_info {
    size_t struct_size;
    const char *name;    /* "mean anomaly"; static                               */
    int registers;       /* of a thread                                          */
    size_t local_bytes;  /* of a thread: what does not fit its registers         */
    size_t shared_bytes; /* of a block                                           */
    int threads;         /* of a block                                           */
    double occupancy;    /* threads that a multiprocessor holds, over its most   */
} equant_kernel_info;

/* Number of functions that chi-square takes, in the order of their launch; 0 for an
 * evaluator without device. */
EQUANT_API size_t equant_evaluator_n_kernels(const equant_evaluator *evaluator);
EQUANT_API equant_status equant_evaluator_kernel(const equant_evaluator *evaluator, size_t index,
                                                 equant_kernel_info *info);

/* ------------------------------------------------------------------------ */
/* 6. Kepler's equation alone                                                */

/* Solves M = E - e sin E for n pairs. Any finite M, any 0 <= e < 1; other
 * pairs give NaN. E lies on the same revolution as M. Any of the outputs
 * [n] may be NULL. options may be NULL. */
EQUANT_API equant_status equant_kepler_solve(size_t n, const double *mean_anomaly_rad,
                                             const double *eccentricity,
                                             const equant_engine_options *options,
                                             double *eccentric_anomaly_rad, double *sine,
                                             double *cosine);

/* The same for arrays in the memory of the options' device, on a stream, as
 * equant_evaluator_evaluate_on_device has it; not with a tabulated first guess. */
EQUANT_API equant_status equant_kepler_solve_on_device(size_t n, const double *mean_anomaly_rad,
                                                       const double *eccentricity,
                                                       const equant_engine_options *options,
                                                       double *eccentric_anomaly_rad, double *sine,
                                                       double *cosine, void *stream);

/* Memory of a device for callers without its tool kit. `backend` is a name as in the
 * engine options; one without device memory answers EQUANT_ERROR_UNAVAILABLE. */
EQUANT_API equant_status equant_device_allocate(const char *backend, size_t n_bytes, void **memory);
EQUANT_API void equant_device_free(const char *backend, void *memory);
/* Either side may be on the device or on the host. Done when it returns. */
EQUANT_API equant_status equant_device_copy(const char *backend, size_t n_bytes, const void *from,
                                            void *to);
/* Returns when all work on the device is done. */
EQUANT_API equant_status equant_device_wait(const char *backend);

/* What a device can do at best, by its data sheet; zero where it does not tell. */
typedef struct equant_device_info {
    size_t struct_size;
    char name[64];
    size_t memory_bytes;
    double bytes_per_s;                /* of its memory                      */
    double single_per_s, double_per_s; /* fused multiply-adds, all lanes     */
    double instructions_per_s;         /* of any kind, all lanes             */
} equant_device_info;
EQUANT_API equant_status equant_device_describe(const char *backend, equant_device_info *info);

/* ------------------------------------------------------------------------ */
/* 7. Random numbers                                                         */

/* Philox4x32-10 of Random123, addressed and not stepped: draw `index` of
 * stream (seed, purpose) is the same number whoever asks for it and when.
 * Fills out[n] with draws first, first + 1, ... */
EQUANT_API equant_status equant_random_uniform(uint64_t seed, uint32_t purpose, uint64_t first,
                                               size_t n, double *out); /* in (0, 1)       */
EQUANT_API equant_status equant_random_normal(uint64_t seed, uint32_t purpose, uint64_t first,
                                              size_t n, double *out); /* mean 0, sigma 1  */

/* ------------------------------------------------------------------------ */
/* 8. Random orbits                                                          */

/* The distributions of Ford (2008), Table 2; zeros mean that paper's values. */
typedef struct equant_orbit_distribution {
    size_t struct_size;
    double period_min_days, period_max_days; /* log-uniform [2, 3652.5)        */
    double k_min_m_s, k_max_m_s;             /* log-uniform [1, 500)           */
    double eccentricity_max;                 /* uniform [0, 0.99)              */
} equant_orbit_distribution;

/* Draws systems first, first + 1, ... of the given seed: rows of
 * n_planets * 5 columns, [n_sets][n_planets * 5], in the order of
 * equant_model_n_parameters. distribution may be NULL. */
EQUANT_API equant_status equant_orbits_draw(const equant_orbit_distribution *distribution,
                                            uint64_t seed, uint64_t first, size_t n_sets,
                                            size_t n_planets, double *parameters);

/* ------------------------------------------------------------------------ */
/* 9. Derivatives                                                            */

/* Coordinates of a planet, five columns each, in which derivatives are taken. */
typedef enum equant_basis {
    EQUANT_BASIS_ELEMENTS = 0, /* P, K, e, omega, M0: singular at e = 0            */
    EQUANT_BASIS_REGULAR = 1,  /* ln P, ln K, e cos omega, e sin omega, M0 + omega:
                                  regular at e = 0; for covariances                */
    EQUANT_BASIS_ROOTS = 2,    /* ln P, sqrt K, sqrt e cos omega, sqrt e sin omega,
                                  M0 + omega: a uniform e is uniform here          */
    EQUANT_BASIS_LINEAR = 3    /* ln P, p = e cos M0, q = e sin M0, A, B: the
                                  velocity is linear in (A, B), regular at e = 0
                                  and at K = 0; for fits                           */
} equant_basis;

/* Coordinates of planets from their elements and back, [n_planets][5]; the two
 * arrays may be the same. Angles come back in [0, 2 pi). Elements outside their
 * domain, and coordinates that no orbit has, give NaN. */
EQUANT_API equant_status equant_basis_from_elements(equant_basis basis, size_t n_planets,
                                                    const double *elements, double *coordinates);
EQUANT_API equant_status equant_basis_to_elements(equant_basis basis, size_t n_planets,
                                                  const double *coordinates, double *elements);

/* Where derivatives go; NULL members are not computed. */
typedef struct equant_derivatives {
    size_t struct_size;
    double *chi_square;              /* [n_sets]                                  */
    double *log_likelihood;          /* [n_sets]                                  */
    double *chi_square_gradient;     /* [n_sets][n_parameters]                    */
    double *log_likelihood_gradient; /* [n_sets][n_parameters]                    */
    double *fisher;                  /* [n_sets][n_parameters][n_parameters]:
                                        J' W J, half the Gauss-Newton matrix of
                                        chi-square; 2 s^2 sum w^2 for a jitter s  */
    double *jacobian;                /* [n_sets][n_parameters][n_obs]: derivatives
                                        of the velocity, in the data's order; zero
                                        for jitters                               */
} equant_derivatives;

/* Derivatives with respect to the model's parameters at n_sets parameter sets
 * (given as elements, as everywhere), the columns of the planets taken in
 * `basis`. In double precision whatever the evaluator's. Nuisance parameters that
 * the model solves for follow their best values: the derivatives are those of the
 * profile, and the Jacobian is what is left of it beside them. A set outside the
 * domain gets +inf, -inf and NaN as in equant_evaluator_evaluate. */
EQUANT_API equant_status equant_evaluator_differentiate(equant_evaluator *evaluator,
                                                        equant_basis basis, size_t n_sets,
                                                        const double *parameters,
                                                        const equant_derivatives *derivatives);

/* ------------------------------------------------------------------------ */
/* 10. Search                                                                */

/* Called now and then by long calls, on the calling thread: what is being done, how
 * much of it is (0 to 1). A return other than 0 cancels the call. */
typedef int (*equant_progress)(const char *stage, double done, void *context);

typedef enum equant_trend {
    EQUANT_TREND_AUTO = 0, /* a line or a parabola where the data ask for one */
    EQUANT_TREND_NONE = 1,
    EQUANT_TREND_LINEAR = 2,
    EQUANT_TREND_QUADRATIC = 3
} equant_trend;

typedef struct equant_search_options {
    size_t struct_size;
    const equant_engine_options *engine;     /* NULL: defaults; its precision counts only
                                                with exact_precision, else mixed    */
    int exact_precision;                     /* 1: take engine.precision as it is   */
    double period_min_days, period_max_days; /* 0: 0.5 days, twice the span         */
    double eccentricity_max;                 /* 0: 0.9                              */
    int circular_only;                       /* 1: a generalised Lomb-Scargle scan  */
    equant_trend trend;
    size_t n_planets;      /* already known: their amplitudes and, to first
                              order, their orbits are refitted at every node */
    const double *planets; /* [n_planets][5] elements                      */
    size_t n_peaks;        /* to report; 0: 10                             */
    size_t n_draws;        /* Monte Carlo false-alarm probabilities; 0: none */
    uint64_t seed;
    equant_progress progress; /* may be NULL                                */
    void *progress_context;
} equant_search_options;

/* A periodogram: at each frequency the best orbit that has it. */
typedef struct equant_periodogram equant_periodogram;

/* One peak, refined. Strings are valid until the periodogram is freed. */
typedef struct equant_peak {
    size_t struct_size;
    double period_days, k_m_s, eccentricity, omega_rad, m0_rad;
    double power;             /* share of chi-square that it explains, 0 to 1     */
    double log_likelihood;    /* gain over the model without it                   */
    double false_alarm;       /* analytic */
    double false_alarm_drawn; /* by Monte Carlo; NaN without draws                */
    const char *remark;       /* "alias of 4.23 days with the day", or ""         */
} equant_peak;

EQUANT_API equant_status equant_search(const equant_dataset *dataset,
                                       const equant_search_options *options,
                                       equant_periodogram **periodogram);
EQUANT_API void equant_periodogram_free(equant_periodogram *periodogram);

/* Views, valid until the periodogram is freed; frequencies ascend, [n]. */
EQUANT_API size_t equant_periodogram_n(const equant_periodogram *periodogram);
EQUANT_API const double *equant_periodogram_frequency_per_day(const equant_periodogram *p);
EQUANT_API const double *equant_periodogram_power(const equant_periodogram *p);    /* any e      */
EQUANT_API const double *equant_periodogram_circular(const equant_periodogram *p); /* e = 0   */
EQUANT_API const double *equant_periodogram_eccentricity(const equant_periodogram *p);
EQUANT_API const double *equant_periodogram_window(const equant_periodogram *p); /* of times  */
/* The power that has this false-alarm probability by the analytic bound. */
EQUANT_API double equant_periodogram_level(const equant_periodogram *p, double false_alarm);
EQUANT_API size_t equant_periodogram_n_peaks(const equant_periodogram *periodogram);
EQUANT_API equant_status equant_periodogram_peak(const equant_periodogram *periodogram,
                                                 size_t index, equant_peak *peak);
/* Orbits (nodes of the grid) tried, and seconds that the scan alone took. */
EQUANT_API double equant_periodogram_n_nodes(const equant_periodogram *periodogram);
EQUANT_API double equant_periodogram_seconds(const equant_periodogram *periodogram);

/* ------------------------------------------------------------------------ */
/* 11. Fit                                                                   */

typedef enum equant_fit_method {
    EQUANT_FIT_SCAN = 0, /* exact scans, one planet more at a time           */
    EQUANT_FIT_DE = 1    /* differential evolution of all planets together   */
} equant_fit_method;

typedef struct equant_fit_options {
    size_t struct_size;
    const equant_engine_options *engine; /* of the scans, as in equant_search_options */
    int exact_precision;
    equant_fit_method method;
    int n_planets;                           /* 0: as many as the data ask for; -1: none */
    int max_planets;                         /* where n_planets is 0; 0: 10              */
    double false_alarm_max;                  /* for one planet more; 0: 1e-3             */
    double period_min_days, period_max_days; /* 0: 0.5 days, twice the span              */
    double eccentricity_max;                 /* of the scans; 0: 0.9                     */
    equant_trend trend;
    size_t n_start;      /* planets to start from, refined with the rest            */
    const double *start; /* [n_start][5] elements                                   */
    size_t n_fixed;      /* the first n_fixed of them are kept as they are          */
    int no_jitter;       /* 1: uncertainties are taken as they are                  */
    double star_mass;    /* solar masses, for m sin i and a; 0: unknown             */
    uint64_t seed;
    equant_progress progress;
    void *progress_context;
} equant_fit_options;

/* The planets of a star and everything fitted along with them. */
typedef struct equant_fit equant_fit;

typedef struct equant_planet {
    size_t struct_size;
    double period_days, period_days_err;
    double k_m_s, k_m_s_err;
    double eccentricity, eccentricity_err;
    double omega_rad, omega_rad_err;
    double m0_rad, m0_rad_err; /* at the data set's reference time                    */
    double t_peri, t_peri_err; /* passage of pericentre next to the reference time    */
    double t_conj, t_conj_err; /* inferior conjunction (transit, if any) next to it   */
    double m_sin_i_jupiter, m_sin_i_jupiter_err; /* NaN where the star's mass is unknown */
    double a_au, a_au_err;
    double false_alarm;    /* of the log_likelihood below: analytic */
    double log_likelihood; /* what the final model loses without it, all else
                              refitted                                            */
    double delta_bic;      /* by how much the BIC grows without it                */
} equant_planet;

/* Needs more observations than instruments. Same data, options and seed: same
 * result, on any number of threads. */
EQUANT_API equant_status equant_fit_create(const equant_dataset *dataset,
                                           const equant_fit_options *options, equant_fit **fit);
EQUANT_API void equant_fit_free(equant_fit *fit);

/* Planets by period. */
EQUANT_API size_t equant_fit_n_planets(const equant_fit *fit);
EQUANT_API equant_status equant_fit_planet(const equant_fit *fit, size_t index,
                                           equant_planet *planet);
/* The candidate that was tried last and refused; EQUANT_ERROR_UNAVAILABLE when there
 * is none. */
EQUANT_API equant_status equant_fit_candidate(const equant_fit *fit, equant_planet *planet);

/* The model that was fitted, with offsets, trend and jitter as columns, its parameter
 * set, and the covariance of that, [n_parameters][n_parameters] (elements as in
 * EQUANT_BASIS_ELEMENTS). Valid until the fit is freed. */
EQUANT_API const equant_model *equant_fit_model(const equant_fit *fit);
EQUANT_API const double *equant_fit_parameters(const equant_fit *fit);
EQUANT_API const double *equant_fit_covariance(const equant_fit *fit);
EQUANT_API int equant_fit_trend_order(const equant_fit *fit);

typedef struct equant_fit_summary {
    size_t struct_size;
    size_t n_obs, n_parameters;
    double chi_square, log_likelihood, bic, rms_m_s, reference_time_days;
    double log_likelihood_without_planets, bic_without_planets;
} equant_fit_summary;
EQUANT_API equant_status equant_fit_summarize(const equant_fit *fit, equant_fit_summary *summary);

/* ------------------------------------------------------------------------ */
/* 12. Priors                                                                */

/* What is believed of a star before its data: a density for each column of a model whose
 * offsets, trend and jitters are all given. */
typedef struct equant_priors equant_priors;

typedef struct equant_priors_options {
    size_t struct_size;
    size_t n_planets;
    int trend_order; /* 0 none, 1 linear, 2 quadratic                              */
    const char *set; /* a name that equant_priors_set_name has; NULL: the first    */
} equant_priors_options;

/* Sets of priors by name: "ford-gregory", the field's reference, "kipping", ... with one line
 * about each for a person. NULL when index is out of range. Static. */
EQUANT_API const char *equant_priors_set_name(size_t index);
EQUANT_API const char *equant_priors_set_description(size_t index);

/* The priors of a set for this star; options may be NULL. The data set is not needed
 * afterwards. The caller frees *priors with equant_priors_free. */
EQUANT_API equant_status equant_priors_create(const equant_dataset *dataset,
                                              const equant_priors_options *options,
                                              equant_priors **priors);
/* The same with what a YAML file says (docs/sampling.md); the set that the file names wins over
 * that of the options. EQUANT_ERROR_UNAVAILABLE from a library that was built without YAML. */
EQUANT_API equant_status equant_priors_from_file(const char *path, const equant_dataset *dataset,
                                                 const equant_priors_options *options,
                                                 equant_priors **priors);
EQUANT_API void equant_priors_free(equant_priors *priors);

/* Another prior for one parameter, "period_days_2", or for all of a kind, "eccentricity", by
 * the names of equant_model_parameter_name. Texts are those of docs/sampling.md:
 * "log-uniform(1, 1000)", "beta(0.867, 3.03)", "fixed(0)" or "0". */
EQUANT_API equant_status equant_priors_change(equant_priors *priors, const char *parameter,
                                              const char *text);

/* Columns, with their names and their priors in words that equant_priors_change understands;
 * NULL when out of range. Valid until the priors are changed or freed. */
EQUANT_API size_t equant_priors_n(const equant_priors *priors);
EQUANT_API const char *equant_priors_name(const equant_priors *priors, size_t column);
EQUANT_API const char *equant_priors_text(const equant_priors *priors, size_t column);

/* ------------------------------------------------------------------------ */
/* 13. Sampling                                                              */

/* Where walkers begin. */
typedef enum equant_start {
    EQUANT_START_FIT = 0,  /* around the best fit and its rivals at other periods, further
                              apart than the posterior is wide                        */
    EQUANT_START_PRIOR = 1 /* anywhere in the prior: wants temperatures and patience  */
} equant_start;

/* Noise of a star that turns: a quasi-periodic Gaussian process beside the uncertainties,
 * C = amplitude^2 exp(-1/2 [sin^2(pi dt / period) / width^2 + dt^2 / decay^2]). */
typedef struct equant_kernel {
    size_t struct_size;
    double amplitude_m_s, period_days, width, decay_days;
} equant_kernel;

/* How far a run has come. Figures that nobody knows yet are NaN. */
typedef struct equant_sample_progress {
    size_t struct_size;
    const char *stage;         /* "burn-in", "sampling", or a stage of the fit          */
    double done;               /* of the stage, 0 to 1; of sampling it is an estimate   */
    uint64_t step;             /* of the sampler                                        */
    double steps_per_s;        /* of late                                               */
    double acceptance;         /* share of proposals accepted                           */
    double rhat;               /* the worst of all parameters, when last looked at      */
    double ess_bulk, ess_tail; /* the smallest of all parameters                        */
    double seconds_left;       /* until the targets are met or the budget is spent      */
} equant_sample_progress;

/* Called now and then, on the calling thread. A return other than 0 cancels the call, after a
 * last checkpoint. */
typedef int (*equant_sample_watch)(const equant_sample_progress *progress, void *context);

/* Zeros mean the defaults. */
typedef struct equant_sample_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                               */
    size_t n_planets;
    int trend_order;             /* 0 none, 1 linear, 2 quadratic                        */
    const equant_priors *priors; /* of the same planets and trend; NULL: "ford-gregory"  */
    int marginalise_offsets;     /* 1: integrated out; their priors must be uniform      */
    const equant_kernel *kernel; /* NULL: white noise; else data of one instrument       */
    double star_mass;            /* solar masses, for m sin i and a; 0: unknown          */
    equant_start start;
    size_t n_known;      /* planets to begin the fit with, refined with the rest         */
    const double *known; /* [n_known][5] elements                                        */
    uint64_t seed;
    size_t n_populations;      /* independent of each other; 0: 4                      */
    size_t n_walkers;          /* of a population, an even number; 0: by the model     */
    size_t n_temperatures;     /* 0: 1, no tempering; several give the evidence        */
    uint64_t n_burn_in;        /* steps before draws are kept; 0: 400, or 3200 tempered */
    uint64_t thinning;         /* steps from one kept to the next, to begin with; 0: 4 */
    size_t max_draws;          /* every other one is dropped beyond; 0: 200,000        */
    double max_rhat;           /* to be reached by every parameter; 0: 1.01            */
    double min_ess;            /* bulk and tail, by every parameter; 0: 1000           */
    uint64_t max_steps;        /* burn-in included; 0: 1,000,000                       */
    double max_seconds;        /* of this call; 0: no limit                            */
    const char *path;          /* of the file of the run; NULL: none                   */
    double checkpoint_seconds; /* between two writings of it; 0: 60                    */
    equant_sample_watch watch; /* may be NULL                                          */
    void *watch_context;
    const char *star_name; /* kept with the run, for reports; NULL: unknown            */
    const char *command;   /* that makes the run, kept likewise; NULL: unknown         */
} equant_sample_options;

/* What a run has found. */
typedef struct equant_posterior equant_posterior;

/* Draws from the posterior by ensembles of walkers: differential evolution in several
 * populations, with parallel tempering where several temperatures are asked for, until the
 * targets are met or a limit is reached; which of them equant_posterior_summarize tells.
 *
 * Same data, options and seed: same draws, on any number of threads. A named file is
 * written whole at every checkpoint and at the end; whatever happens on the way, the file of
 * the last checkpoint stands. A cancelled run answers EQUANT_ERROR_CANCELLED. */
EQUANT_API equant_status equant_sample(const equant_dataset *dataset,
                                       const equant_sample_options *options,
                                       equant_posterior **posterior);

/* Goes on with the run of a file, to the draws that it would have made without interruption,
 * bit for bit on the same backend. Data and options come from the file, and from `options`
 * (NULL: nothing) alone what decides how long to go on and whom to tell: the number of threads
 * of the engine, max_rhat, min_ess, max_steps, max_seconds, checkpoint_seconds, watch. Zeros
 * leave them as they were. */
EQUANT_API equant_status equant_sample_resume(const char *path,
                                              const equant_sample_options *options,
                                              equant_posterior **posterior);

/* What the run of a file has found so far; nothing is sampled, and the machine that made the run
 * is not needed. EQUANT_ERROR_UNAVAILABLE while no draw has been kept. */
EQUANT_API equant_status equant_posterior_open(const char *path, equant_posterior **posterior);
EQUANT_API void equant_posterior_free(equant_posterior *posterior);

/* The observations of the run, and how it was made, in words: "seed", "prior_period_days_1",
 * "version", "star_name" and "command" where they were given; NULL when out of range. All valid
 * as long as the posterior. */
EQUANT_API const equant_dataset *equant_posterior_dataset(const equant_posterior *posterior);
EQUANT_API size_t equant_posterior_n_provenance(const equant_posterior *posterior);
EQUANT_API const char *equant_posterior_provenance_name(const equant_posterior *posterior,
                                                        size_t index);
EQUANT_API const char *equant_posterior_provenance_text(const equant_posterior *posterior,
                                                        size_t index);

/* Why a run ended. */
typedef enum equant_sample_end {
    EQUANT_END_CONVERGED = 0, /* all targets are met */
    EQUANT_END_STEPS = 1,     /* max_steps           */
    EQUANT_END_SECONDS = 2,   /* max_seconds         */
    EQUANT_END_NONE = 3       /* it may go on: of equant_posterior_open alone */
} equant_sample_end;

typedef struct equant_posterior_summary {
    size_t struct_size;
    equant_sample_end end;
    size_t n_planets, n_parameters;
    size_t n_populations, n_walkers, n_kept; /* draws: their product                        */
    size_t n_temperatures;
    uint64_t n_steps, n_burn_in;     /* of the sampler, and those before the first kept one      */
    double rhat, ess_bulk, ess_tail; /* the worst of all parameters                         */
    double turnover;                 /* how often a walker has forgotten where it was, at worst  */
    double acceptance;               /* share of proposals accepted                              */
    double seconds;                  /* that this call took; NaN of equant_posterior_open        */
    double reference_time_days;
    const char *backend;
    double log_evidence, log_evidence_err; /* NaN without temperatures; the error is the
                                              scatter of populations                        */
    double round_trips; /* of walkers between the ends of the ladder                */
} equant_posterior_summary;
EQUANT_API equant_status equant_posterior_summarize(const equant_posterior *posterior,
                                                    equant_posterior_summary *summary);

/* One quantity: a parameter of the model, planets by period, or what follows from them. */
typedef struct equant_quantity {
    size_t struct_size;
    const char *name, *unit; /* "period_days_1", "d"; valid as long as the posterior         */
    int is_angle, is_derived;
    size_t planet, instrument;       /* from 1; 0: of none                                        */
    const char *instrument_name;     /* NULL where it is of none */
    double median, low, high;        /* 68.3 % of the draws lie between low and high              */
    double mode;                     /* where draws are densest                                   */
    double best;                     /* in the draw of the highest density                        */
    double rhat, ess_bulk, ess_tail; /* NaN for a parameter that the prior fixes            */
} equant_quantity;
EQUANT_API size_t equant_posterior_n_quantities(const equant_posterior *posterior);
EQUANT_API equant_status equant_posterior_quantity(const equant_posterior *posterior, size_t index,
                                                   equant_quantity *quantity);
/* Its values in all draws, [n_populations][n_kept][n_walkers]. */
EQUANT_API equant_status equant_posterior_values(const equant_posterior *posterior, size_t index,
                                                 double *values);
/* Log-likelihoods of all draws, in the same order. */
EQUANT_API equant_status equant_posterior_log_likelihoods(const equant_posterior *posterior,
                                                          double *values);

/* Groups of draws with other periods, such as aliases, the heaviest first. */
typedef struct equant_posterior_mode_info {
    size_t struct_size;
    double weight, weight_err; /* share of the draws; the error is the scatter of populations */
    const double *period_days; /* [n_planets] medians; valid as long as the posterior         */
} equant_posterior_mode_info;
EQUANT_API size_t equant_posterior_n_modes(const equant_posterior *posterior);
EQUANT_API equant_status equant_posterior_mode(const equant_posterior *posterior, size_t index,
                                               equant_posterior_mode_info *mode);

/* ------------------------------------------------------------------------ */
/* 14. Targets                                                               */

/* The posterior as a function: points in, logarithms of densities out; what emcee, dynesty and
 * their like ask for (docs/samplers.md). Data, model and priors bound to an engine, with its
 * working memory: one call at a time per target. */
typedef struct equant_target equant_target;

/* What a point is: one dimension for each parameter that the priors leave free, in the order of
 * the parameters. */
typedef enum equant_space {
    EQUANT_SPACE_SMOOTH = 0,    /* of each planet ln P, y cos lambda, sqrt(e) cos omega,
                                   sqrt(e) sin omega, y sin lambda, with lambda = M0 + omega and
                                   y = ln(1 + K / scale); offsets and trend as they are; jitters
                                   s as ln(1 + s / scale). No angle, no edge at K = 0 or
                                   e = 0: for walkers                                      */
    EQUANT_SPACE_PARAMETERS = 1 /* the parameters as they are, angles within the bounds of
                                   their priors: for nested sampling                       */
} equant_space;

typedef struct equant_target_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                                  */
    size_t n_planets;
    int trend_order;             /* 0 none, 1 linear, 2 quadratic                           */
    const equant_priors *priors; /* of the same planets and trend; NULL: "ford-gregory"     */
    int marginalise_offsets;     /* 1: integrated out; their priors must be uniform         */
    const equant_kernel *kernel; /* NULL: white noise; else data of one instrument          */
    equant_space space;
} equant_target_options;

/* Copies what it needs: data set and priors may be freed afterwards. options may be NULL. Priors
 * that fix everything are EQUANT_ERROR_INVALID_ARGUMENT. */
EQUANT_API equant_status equant_target_create(const equant_dataset *dataset,
                                              const equant_target_options *options,
                                              equant_target **target);
EQUANT_API void equant_target_free(equant_target *target);

/* Dimensions of a point, with their names, e.g. "sqrt_e_cos_omega_1", or those of the parameters;
 * NULL when out of range. */
EQUANT_API size_t equant_target_n_dimensions(const equant_target *target);
EQUANT_API const char *equant_target_dimension_name(const equant_target *target, size_t dimension);

/* Columns of a parameter set: elements, offsets unless they are integrated out, trend, jitters,
 * with what the priors fix among them. NULL when out of range. */
EQUANT_API size_t equant_target_n_parameters(const equant_target *target);
EQUANT_API const char *equant_target_parameter_name(const equant_target *target, size_t column);

/* Of n points, [n][n_dimensions] row by row, into out[n]:
 *   the prior       its normalised density in the dimensions of the space, Jacobian included;
 *   the likelihood  Gaussian, with its normalisation and with offsets integrated out where that
 *                   was asked for;
 *   the sum of both, ln of the posterior's density but for a constant.
 * -inf outside the prior, and for what is not a number. With a named backend each result depends
 * on its own point alone, not on n or the number of threads. n = 0 does nothing. */
EQUANT_API equant_status equant_target_log_prior(equant_target *target, size_t n,
                                                 const double *points, double *out);
EQUANT_API equant_status equant_target_log_likelihood(equant_target *target, size_t n,
                                                      const double *points, double *out);
EQUANT_API equant_status equant_target_log_probability(equant_target *target, size_t n,
                                                       const double *points, double *out);

/* Points of the prior from points of the unit cube, [n][n_dimensions] both, so that what is uniform
 * in the cube is distributed as the prior is: for nested sampling. Each dimension is the cumulative
 * probability of its parameter; that of K at the P and e of its row, on which its limit may depend.
 * An M0 whose prior is a whole turn counts from -omega: its dimension is that of lambda, which data
 * know better. Rows that reach outside the cube give NaN. */
EQUANT_API equant_status equant_target_from_unit_cube(equant_target *target, size_t n,
                                                      const double *cube, double *points);
/* 1 where the two ends of a dimension of the cube are the same place: an angle whose prior is a
 * whole turn. */
EQUANT_API int equant_target_cube_wraps(const equant_target *target, size_t dimension);

/* Points first, first + 1, ... drawn from the prior: the same whoever asks for them. */
EQUANT_API equant_status equant_target_draw(equant_target *target, uint64_t seed, uint64_t first,
                                            size_t n, double *points);

/* Parameter sets [n][n_parameters] of points, NaN outside the prior; and points of parameter sets,
 * inside the prior or not. */
EQUANT_API equant_status equant_target_to_parameters(equant_target *target, size_t n,
                                                     const double *points, double *parameters);
EQUANT_API equant_status equant_target_from_parameters(equant_target *target, size_t n,
                                                       const double *parameters, double *points);

#ifdef __cplusplus
}
#endif
#endif
