/* A parameter set of a star under study: residuals, likelihood and derivatives with the noise that
 * its model has chosen. Models with white noise and without indicators are an evaluator's alone;
 * for the others it gives residuals and Jacobian, which are whitened here. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_SET_LIKELIHOOD_H
#define EQUANT_INFERENCE_LIKELIHOOD_SET_LIKELIHOOD_H

#include "inference/likelihood/study.h"

/* NULL members are not computed. Where a set is outside the domain chi-square is +inf, ln L -inf.
 */
typedef struct set_likelihood_results {
    double *chi_square, *log_likelihood;
    double *velocities, *residuals; /* [n_obs]; correlated noise is in residuals */
} set_likelihood_results;

/* A set is [columns of study_layout]. */
equant_status set_likelihood_evaluate(study *star, const study_shape *shape, const double *set,
                                      const set_likelihood_results *results);

/* chi_square, gradient [n], fisher [n][n], n the columns of study_layout: of everything but noise,
 * and with white noise of jitters too. chi_square and gradient may be NULL. */
equant_status set_likelihood_differentiate(study *star, const study_shape *shape,
                                           equant_basis basis, const double *set,
                                           double *chi_square, double *gradient, double *fisher);

/* Whether an evaluator knows all of a model: no noise but jitters, and nothing beside it. */
bool set_likelihood_is_white(const study *star, const study_shape *shape);

/* The slope of ln L, [n], and Fisher's matrix, [n][n], of the same columns. */
equant_status set_likelihood_slope(study *star, const study_shape *shape, equant_basis basis,
                                   const double *set, double *gradient, double *fisher);

/* Residuals and Jacobian of one set, [n_obs][n_mean + 1], n_mean the columns before jitters; the
 * residual is the last. */
equant_status set_likelihood_columns(study *star, const study_shape *shape, equant_basis basis,
                                     const double *set, double *columns);

#endif
