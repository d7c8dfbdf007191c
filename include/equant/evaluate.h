/* equant/evaluate.h: evaluation. Parameter sets in; chi-square, velocities, derivatives out. Beside
 * them Kepler's equation alone, and the memory of devices for both. */
#ifndef EQUANT_EVALUATE_H
#define EQUANT_EVALUATE_H

#include <stddef.h>

#include "equant/data.h"
#include "equant/model.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------ */
/* Evaluators                                                                */

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
    int n_threads;                            /* 0: all that the machine offers              */
    double danby_tolerance;                   /* stop at |f| up to this; 0 means 1e-6        */
    int danby_max_iterations;                 /* 0 means 10                                  */
    const struct equant_paper_options *paper; /* NULL; see equant/paper.h    */
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
    double *chi_square;     /* [n_sets]; with noise terms r' C^-1 r            */
    double *log_likelihood; /* [n_sets], Gaussian, with its normalisation      */
    double *linear;         /* [n_sets][n_linear]: offsets, then trend, as given
                               or as solved; zero where the data do not say    */
    double *velocities;     /* [n_sets][n_obs] predicted, in the data's order  */
    double *residuals;      /* [n_sets][n_obs] observed minus predicted        */
} equant_results;

/* Evaluates n_sets parameter sets, [n_sets][n_parameters] row by row.
 *
 * A set outside the domain (e < 0, e >= 1, P <= 0 or so short that the data hold
 * more than 2^50 periods, a jitter < 0, a parameter of noise <= 0, a covariance that
 * rounding has eaten, anything not finite) gets chi-square
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

/* ------------------------------------------------------------------------ */
/* Many data sets                                                            */

/* Many data sets under one model, bound to an engine: sets of all of them in one call, and on a GPU
 * in one launch. For archives of short series, none of which would fill a machine. One call at a
 * time per list. */
typedef struct equant_evaluator_list equant_evaluator_list;

/* Copies what it needs. All data sets have as many instruments as the model. options may be NULL;
 * without the name of a backend it is the processor. A GPU has no lists of models with noise terms,
 * nor of what equant/paper.h asks for: EQUANT_ERROR_UNAVAILABLE. */
EQUANT_API equant_status equant_evaluator_list_create(size_t n_datasets,
                                                      const equant_dataset *const *datasets,
                                                      const equant_model *model,
                                                      const equant_engine_options *options,
                                                      equant_evaluator_list **list);
EQUANT_API void equant_evaluator_list_free(equant_evaluator_list *list);
EQUANT_API const char *equant_evaluator_list_backend(const equant_evaluator_list *list);

/* Evaluates n_sets parameter sets, of which set s is compared with data set dataset_of_set[s], in
 * any order. Each result is that of an evaluator of its data set with the same backend, to the bit.
 * Of the results chi_square, log_likelihood and linear are there; velocities and residuals, whose
 * number differs from set to set, must be NULL. */
EQUANT_API equant_status equant_evaluator_list_evaluate(equant_evaluator_list *list, size_t n_sets,
                                                        const size_t *dataset_of_set,
                                                        const double *parameters,
                                                        const equant_results *results);

/* ------------------------------------------------------------------------ */
/* Derivatives                                                               */

/* Coordinates of a planet, as many as its elements, in which derivatives are taken. */
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

/* Coordinates of planets from their elements and back, [n_planets][EQUANT_N_ELEMENTS];
 * the two arrays may be the same. Angles come back in [0, 2 pi). Elements outside
 * their domain, and coordinates that no orbit has, give NaN. */
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
                                        chi-square; 2 s^2 sum w^2 for a jitter s.
                                        With noise terms J' C^-1 J, and minus the
                                        second derivatives of ln L for jitters and
                                        parameters of noise among themselves      */
    double *jacobian;                /* [n_sets][n_parameters][n_obs]: derivatives
                                        of the velocity, in the data's order; zero
                                        for jitters and noise                     */
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
/* Kepler's equation alone                                                   */

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

/* ------------------------------------------------------------------------ */
/* Where work runs                                                           */

/* Kinds of work: they differ in when a GPU gains. */
typedef enum equant_work_kind {
    EQUANT_WORK_BATCH = 0,         /* one call of an evaluator                           */
    EQUANT_WORK_SMALL_BATCHES = 1, /* many small ones, one after the other: least squares,
                                      text that is read and written; and Kepler's
                                      equation alone                                     */
    EQUANT_WORK_SCAN = 2,          /* of a search or a fit                               */
    EQUANT_WORK_WALKERS = 3,       /* a sampler that evaluates n_sets at a time          */
    EQUANT_WORK_MONTE_CARLO = 4,   /* n_sets in all, in batches of any size              */
    EQUANT_WORK_FORECAST = 5,      /* what n_sets predict at n_obs times                */
    EQUANT_WORK_DERIVATIVES = 6    /* of n_sets in one call, by one of several threads: of
                                      fits, where the GPU is fast in double; evaluators
                                      take theirs on their own backend                   */
} equant_work_kind;

/* Scans and small batches need no sizes. */
typedef struct equant_work {
    size_t struct_size;
    equant_work_kind kind;
    size_t n_sets, n_planets, n_obs;
} equant_work;

typedef struct equant_placement_info {
    size_t struct_size;
    const char *backend;   /* its full name, as engine options take it; static        */
    int device;            /* which of several: 1 for "cuda:1"                        */
    int has_device_memory; /* 1 for a GPU                                             */
    int n_threads;         /* of the processor                                        */
} equant_placement_info;

/* Where the library does such work: on the backend that the options name; where they name none,
 * on the processor, or on a GPU where there is one and the work is large enough to gain. Whoever
 * cuts work into batches asks once for all of it and names the answer in the engine options:
 * else each batch would choose for itself, and results would depend on how it was cut. options
 * may be NULL. */
EQUANT_API equant_status equant_placement(const equant_engine_options *options,
                                          const equant_work *work, equant_placement_info *info);

/* ------------------------------------------------------------------------ */
/* Memory of devices                                                         */

/* Memory of a device for callers without its tool kit. `backend` is a name as in the
 * engine options; one without device memory answers EQUANT_ERROR_UNAVAILABLE. */
EQUANT_API equant_status equant_device_allocate(const char *backend, size_t n_bytes, void **memory);
EQUANT_API void equant_device_free(const char *backend, void *memory);
/* Either side may be on the device or on the host. Done when it returns. */
EQUANT_API equant_status equant_device_copy(const char *backend, size_t n_bytes, const void *from,
                                            void *to);
/* Returns when all work on the device is done. */
EQUANT_API equant_status equant_device_wait(const char *backend);

#ifdef __cplusplus
}
#endif
#endif
