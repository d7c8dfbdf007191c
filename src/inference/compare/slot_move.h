/* Whether a slot has a planet, and where: drawn anew, everything else given.
 *
 * Candidates are drawn from the proposal q, the planet that is there takes the place of one of
 * them, and the slot becomes empty with a weight of 1, or gets candidate i with the weight
 *
 *   w_i = odds / N  evidence(i) prior(i) / q(i),
 *
 * the odds being those of the prior. Whatever q is, this leaves the posterior as it is (iterated
 * sampling importance resampling: Andrieu, Lee & Vihola 2018, Bernoulli 24, 842), and the mean of
 * the weights, once it is there, is that of the posterior. */
#ifndef EQUANT_INFERENCE_COMPARE_SLOT_MOVE_H
#define EQUANT_INFERENCE_COMPARE_SLOT_MOVE_H

#include "inference/compare/population.h"

/* Where it jumps, another noise is tried, too, with all that the slot may become behind it. */
equant_status slot_move_go(population *chain, size_t slot, bool jumps, bool is_kept,
                           number_source *numbers);

#endif
