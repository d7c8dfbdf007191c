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

/* Observations and the shape of the model, checked, borrowed during create. */
typedef struct backend_problem {
    size_t n_obs;
    const double *time_days; /* from the reference time, sorted */
    const double *velocity_m_s;
    const double *uncertainty_m_s;
    const int *instrument;
    size_t n_instruments;
    size_t n_planets;
    int trend_order;
    bool offsets_given, trend_given, with_jitter;
    size_t n_parameters, n_linear;
} backend_problem;

/* Engine options with every default filled in. */
typedef struct backend_engine {
    equant_precision precision;
    equant_solver solver;
    equant_summation summation;
    int n_threads;
    double danby_tolerance;
    int danby_max_iterations;
    int device; /* which of several, for backends that have them */
} backend_engine;

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
    /* n >= 1; any output may be NULL. */
    equant_status (*solve)(const backend_engine *engine, size_t n, const double *mean_anomaly_rad,
                           const double *eccentricity, double *eccentric_anomaly_rad, double *sine,
                           double *cosine);
} backend;

/* All backends of this build, best first. */
extern const backend *const backend_list[];
extern const size_t backend_list_length;

#endif
