/* The noise of a parameter set: the rows that it is seen in, their variances, and its factor. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_SET_NOISE_H
#define EQUANT_INFERENCE_LIKELIHOOD_SET_NOISE_H

#include "inference/likelihood/study.h"

/* The rows of a star, for its noise: velocities, and the values of indicators that are series. How
 * these see the process is written to alpha and beta, [noise_menu_n_rows]; `values` are the
 * parameters of the menu. */
noise_factor_rows set_noise_rows(const study *star, const double *values, double *alpha,
                                 double *beta);

/* sigma^2 + s^2 of each row; jitters are followed by the parameters of the menu. */
void set_noise_variances(const study *star, noise_choice noise, const double *jitters,
                         double *variances);

/* Factors the noise of a set over its velocities, whatever indicators say, into a factor of
 * noise_menu_factor for n_obs rows. False where it is none. */
bool set_noise_factor(const study *star, const study_shape *shape, const double *set,
                      double *variances, noise_factor *factor);

/* The same of one near it that scans can carry along, where it needs a whole matrix. */
bool set_noise_scanned_factor(const study *star, const study_shape *shape, const double *set,
                              double *variances, noise_factor *factor);

#endif
