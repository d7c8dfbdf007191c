/* A simulated star as src/inference studies it, and parameter sets for it. */
#ifndef EQUANT_TESTS_STUDIED_STAR_H
#define EQUANT_TESTS_STUDIED_STAR_H

#include "inference/optimise/solution.h"
#include "unit/simulated_star.h"

/* Borrows the data set; periods of 0 mean the defaults. */
static inline void study_star(study *star, const equant_dataset *dataset, double period_min_days,
                              double period_max_days)
{
    study_options options = {.engine = &on_one_thread,
                             .period_min_days = period_min_days,
                             .period_max_days = period_max_days};
    assert_int_equal(study_create(star, dataset, &options), EQUANT_SUCCESS);
    star->at_own_epoch = *dataset; /* sets of these tests are at its reference time */
}

/* A parameter set with nothing but planets: offsets, trend and jitters are zero. */
static inline void set_planets(const study *star, size_t n_planets, int trend_order,
                               const double *elements, double *set)
{
    size_t n = study_layout(star, n_planets, trend_order).n_parameters;
    for (size_t i = 0; i < n; i++)
        set[i] = i < 5 * n_planets ? elements[i] : 0.0;
}

/* What the evaluator says of one set; residuals may be NULL. */
static inline void evaluate_set(study *star, size_t n_planets, int trend_order, const double *set,
                                double *chi_square, double *log_likelihood, double *residuals)
{
    equant_evaluator *evaluator = NULL;
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = chi_square,
                              .log_likelihood = log_likelihood,
                              .residuals = residuals};
    assert_int_equal(study_evaluator(star, n_planets, trend_order, &evaluator), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
}

/* How far apart two angles are on the circle. */
static inline double angle_between(double a, double b)
{
    return fabs(remainder(a - b, 6.28318530717958647693));
}

#endif
