/* The Gaussian that resembles a set of walkers: what guided moves follow. */
#ifndef EQUANT_INFERENCE_GUIDE_H
#define EQUANT_INFERENCE_GUIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Of walkers[n_walkers][d]: writes their centre[d] and the Cholesky factor of their covariance,
 * factor[d (d + 1) / 2], the lower triangle row by row. scratch has d doubles. False, with
 * nothing of use written, where the walkers do not span the space. */
bool guide_fit(size_t d, const unsigned char *is_angle, size_t n_walkers, const double *walkers,
               double *centre, double *factor, double *scratch);

#endif
