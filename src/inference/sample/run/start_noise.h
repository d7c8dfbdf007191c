/* A fit carried on to noise terms: planets, offsets, trend, jitters and the parameters of noise
 * where they are most likely together. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_START_NOISE_H
#define EQUANT_INFERENCE_SAMPLE_RUN_START_NOISE_H

#include "inference/sample/target/model_priors.h"

typedef struct start_noise_request {
    equant_evaluator *evaluator; /* of the model that the priors have */
    const priors *priors;        /* noise stays within them           */
    uint64_t seed;
} start_noise_request;

/* Improves a parameter set in place, whose noise is not looked at; the best of several starts
 * counts. */
equant_status start_noise_refine(const start_noise_request *request, double *set,
                                 double *log_likelihood);

/* Turns the inverse covariance of a set, [n][n], into that of the logarithms of its noise, and
 * leaves of it what is positive definite. */
void start_noise_to_logarithms(const parameter_layout *layout, const double *set,
                               double *precision);

#endif
