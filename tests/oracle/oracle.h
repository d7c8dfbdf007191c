/* The whole model in quadruple precision, written from the formulas in
 * include/equant.h and sharing no code with src/: the truth that the library is
 * held to. Every double that goes in is taken as exact. */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

/* Observations; the arrays stay the caller's. */
typedef struct oracle_data {
    size_t n_obs;
    const double *time_days, *velocity_m_s, *uncertainty_m_s;
    const int *instrument;
    size_t n_instruments;
    double reference_time_days;
} oracle_data;

typedef struct oracle_model {
    size_t n_planets;
    int trend_order;
    bool offsets_solved, trend_solved, with_jitter;
} oracle_model;

/* Where one planet is at one time; what error bounds are made of. */
typedef struct oracle_place {
    double turns;        /* |t - t_ref| / P                          */
    double mean;         /* mean anomaly in [-pi, pi]                */
    double sine, cosine; /* of the eccentric anomaly                 */
    double slope;        /* 1 - e cos E                              */
} oracle_place;

/* All about one parameter set, rounded to double at the very end. */
typedef struct oracle_result {
    double chi_square, log_likelihood;
    double *linear;      /* [n_linear]: offsets, then trend                */
    double *velocity;    /* [n_obs]                                        */
    double *residual;    /* [n_obs]                                        */
    double *variance;    /* [n_obs], jitter included                       */
    oracle_place *place; /* [n_planets][n_obs]                             */
    double *inverse;     /* [n_solved][n_obs]: velocities to solved terms  */
    double condition;    /* of the scaled normal equations                 */
    bool solvable;       /* false: the solved terms are not determined     */
} oracle_result;

size_t oracle_n_linear(const oracle_data *data, const oracle_model *model);
size_t oracle_n_solved(const oracle_data *data, const oracle_model *model);
size_t oracle_n_parameters(const oracle_data *data, const oracle_model *model);

/* Column `j` of the linear terms at observation k: 0 or 1 for offsets, powers
 * of t - t_ref for the trend. */
double oracle_design(const oracle_data *data, size_t j, size_t k);

/* Evaluates n_sets rows of parameters, laid out as the library's, on all
 * processors. Every set must lie in the domain. NULL when memory is short; the
 * caller frees with oracle_free. */
oracle_result *oracle_evaluate(const oracle_data *data, const oracle_model *model, size_t n_sets,
                               const double *parameters);
void oracle_free(oracle_result *results, size_t n_sets);

#endif
