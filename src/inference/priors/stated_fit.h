/* The best parameters of a model of which something is known: ln L and what the priors add to it,
 * optimised together, noise included. Values that are fixed are no unknowns; a normal prior is a
 * row more of the least squares. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_FIT_H
#define EQUANT_INFERENCE_PRIORS_STATED_FIT_H

#include "inference/priors/stated_prior.h"
#include "inference/likelihood/study.h"

typedef struct stated_problem {
    const equant_states *states;
    study *star;
    study_shape shape;
    const char *letters; /* [n_planets]                                              */
    bool keeps_noise;    /* noise that is not white stays as it is, with its jitters */
    double star_mass;    /* solar masses; 0: unknown                                 */
    basis_words basis;   /* that coordinates are chosen by; no words: as states want */
} stated_problem;

typedef struct stated_result {
    double log_likelihood, chi_square;
    double log_prior; /* of everything that is no range */
    size_t n_free;    /* parameters that were fitted    */
    size_t n_scaled;  /* of these those whose errors the scale of the data widens */
} stated_result;

/* Improves a set in place. What the states fix is at its value afterwards. `most` steps. */
equant_status stated_fit_optimise(const stated_problem *problem, int most, double *set,
                                  stated_result *found);

/* In stated_covariance.c: the covariance of a set at its best, [n][n], planets in
 * EQUANT_BASIS_REGULAR: zero for what is fixed or at an end of its range. Variances from the data
 * are multiplied by data_scale, those of priors and of noise that is not white are not; that noise
 * has the curvature of the likelihood with everything else following. */
equant_status stated_fit_covariance(const stated_problem *problem, const double *set,
                                    double data_scale, double *covariance);

#endif
