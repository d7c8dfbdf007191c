/* Trans-dimensional Gibbs step: whether a slot has a planet, and its orbit, conditional on all
 * else.
 *
 * Candidates are drawn from the proposal q, the current planet replaces one of them, and the slot
 * becomes empty with a weight of 1, or gets candidate i with the weight
 *
 *   w_i = odds / N  evidence(i) prior(i) / q(i),
 *
 * with the odds of the prior. This leaves the posterior invariant for any q (iterated
 * sampling importance resampling: Andrieu, Lee & Vihola 2018, Bernoulli 24, 842), and the mean of
 * the weights, once it is there, is that of the posterior. */
#ifndef EQUANT_INFERENCE_COMPARE_SLOT_MOVE_H
#define EQUANT_INFERENCE_COMPARE_SLOT_MOVE_H

#include "inference/compare/population.h"

/* Where it jumps, another noise is tried, too, with all that the slot may become behind it. */
equant_status slot_move_go(population *chain, size_t slot, bool jumps, bool is_kept,
                           number_source *numbers);

#endif
