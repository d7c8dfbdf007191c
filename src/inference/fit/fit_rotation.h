/* What a fit says of the period of its noise: a rotation where it is determined, a memory where it
 * is not. */
#ifndef EQUANT_INFERENCE_FIT_FIT_ROTATION_H
#define EQUANT_INFERENCE_FIT_FIT_ROTATION_H

#include "inference/fit/fit_noise.h"

/* Adds the cautions that follow from it: planets near the rotation or a simple ratio of it, and too
 * few observations for the parameters of the model. */
void fit_rotation_caution(const study *star, const planet_finder_result *finding, size_t n_fitted,
                          fit_noise *noise);

#endif
