/* The ladder of inverse temperatures: where its rungs stand, and where they should (Syed et al.
 * 2022, J. R. Stat. Soc. B 84, 321). Rung 0 is the coldest, beta = 1; beta falls from there. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_LADDER_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_LADDER_H

#include <stddef.h>

/* A ladder to begin with: rungs in geometric progression, the last one at `hottest` in [0, 1),
 * which may be the prior, beta = 0. A single rung is at 1. */
void ladder_begin(size_t n_rungs, double hottest, double *beta);

/* Moves the rungs between the ends to equal increments of the barrier between them, as interpolated
 * from rejection[n_rungs - 1], the mean probabilities that a swap between neighbours is refused:
 * the barrier is their sum, which hardly depends on the rungs once they are many. scratch has 3
 * n_rungs doubles. */
void ladder_respace(size_t n_rungs, const double *rejection, double *beta, double *scratch);

#endif
