/* The noise of each instrument: its jitter, by maximum likelihood from residuals, and the
 * weights that follow from it. */
#ifndef EQUANT_INFERENCE_OPTIMISE_JITTER_H
#define EQUANT_INFERENCE_OPTIMISE_JITTER_H

#include "inference/likelihood/study.h"

/* jitters [n_instruments] that make residuals [n_obs] most likely; zeros where the star is
 * studied without. */
void noise_fit_jitters(const study *star, noise_choice noise, const double *residuals,
                       double *jitters);

/* 1/sqrt(sigma^2 + s^2) of each observation, [n_obs]. */
void noise_root_weights(const study *star, noise_choice noise, const double *jitters,
                        double *root_weights);

#endif
