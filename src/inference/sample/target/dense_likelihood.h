/* ln L of parameter sets whose noise has a covariance that no recursion carries: an evaluator of
 * the same model with white noise gives the residuals, a matrix of all observations the rest. Where
 * every parameter of the noise is fixed and the data are of one instrument, that matrix is made
 * once (noise/noise_tridiagonal.h); else each set has a Cholesky factor of its own. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_DENSE_LIKELIHOOD_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_DENSE_LIKELIHOOD_H

#include "inference/sample/target/model_priors.h"

typedef struct dense_likelihood dense_likelihood;

typedef struct dense_likelihood_options {
    const equant_dataset *dataset;
    const priors *priors;
    const equant_model *model;           /* whose sets are evaluated */
    const equant_engine_options *engine; /* NULL: defaults */
    int marginalise_offsets;             /* 1: the model lacks them, and they are integrated out
                                            under a prior of density 1 */
    int n_threads;
} dense_likelihood_options;

/* Whether a noise needs this. */
bool dense_likelihood_is_needed(const noise_kinds *noise);

equant_status dense_likelihood_create(const dense_likelihood_options *options,
                                      dense_likelihood **made);
void dense_likelihood_free(dense_likelihood *dense);

/* Each result depends on its own set alone; -INFINITY outside the domain of the model. One call at
 * a time. */
equant_status dense_likelihood_evaluate(dense_likelihood *dense, size_t n_sets,
                                        const double *parameters, double *log_likelihood);

/* The same with its derivatives by the parameters, [n_sets][n_parameters] of the model; NaN where
 * ln L is -INFINITY. In double precision; the first call takes memory. */
equant_status dense_likelihood_differentiate(dense_likelihood *dense, size_t n_sets,
                                             const double *parameters, double *log_likelihood,
                                             double *gradient);

#endif
