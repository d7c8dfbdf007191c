/* The Gaussian that resembles a set of walkers, on a processor: statistics/ensemble_guide.h. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_GUIDE_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_GUIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Doubles of working memory that a fit wants. */
size_t guide_scratch(size_t d);

/* Of walkers[n_walkers][d]: writes their centre[d] and the Cholesky factor of their covariance,
 * factor[d (d + 1) / 2], the lower triangle row by row. False, with nothing of use written,
 * where the walkers do not span the space. */
bool guide_fit(size_t d, const unsigned char *is_angle, size_t n_walkers, const double *walkers,
               double *centre, double *factor, double *scratch);

#endif
