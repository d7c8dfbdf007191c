/* The correlated noise of a run, and what residuals look like with it: uncorrelated, and of unit
 * variance, where the noise is as the run has it. */
#ifndef EQUANT_APP_STARS_KERNEL_NOISE_H
#define EQUANT_APP_STARS_KERNEL_NOISE_H

#include "stars/star_result.h"

/* False where the run took its noise as white. */
bool kernel_noise_of(const equant_posterior *posterior, equant_quasi_periodic *kernel);

/* The kernel in words, with its numbers. */
enum { KERNEL_NOISE_TEXT_SIZE = 160 };
void kernel_noise_describe(const equant_quasi_periodic *kernel, char text[KERNEL_NOISE_TEXT_SIZE]);

/* Residuals of the star in units of what the noise leaves open given all earlier ones, [n_obs] in
 * the order of the data: L^-1 r, where L L' is the covariance of kernel, uncertainties and jitters.
 * Returns an exit code, with a sentence on failure. */
int kernel_noise_whiten(const equant_quasi_periodic *kernel, const struct star_result *star,
                        double *whitened);

#endif
