/* The phases of a step over walkers of all temperatures and populations: each is a loop over
 * rows that do not know of each other. statistics/ensemble_rows.h has the arrays, and what is done
 * to one row. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_ENSEMBLE_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_ENSEMBLE_H

#include <stdbool.h>

#include "inference/sample/walkers/sampler_guide.h"
#include "inference/sample/walkers/sampler_target.h"
#include "statistics/ensemble_rows.h"

/* Freed with ensemble_free, also when this fails. The target is not kept. */
equant_status ensemble_create(ensemble *made, const ensemble_shape *shape,
                              const sampler_target *target, uint64_t seed, int n_threads);
void ensemble_free(ensemble *walkers);

size_t ensemble_n_rows(const ensemble_shape *shape);
/* Of the proposals. */
size_t ensemble_n_half_rows(const ensemble_shape *shape);

/* Half a step: walkers [half n_walkers / 2, (half + 1) n_walkers / 2) of each group move, the
 * others stay. In this order; ensemble_guide is needed for guided moves alone. Where `guide` is not
 * NULL the coldest walkers are proposed what it draws. */
void ensemble_guide(ensemble *walkers, size_t half);
void ensemble_propose(ensemble *walkers, const sampler_target *target, const sampler_guide *guide,
                      uint64_t step, size_t half, ensemble_move move);
size_t ensemble_gather(ensemble *walkers); /* the number of parameter sets to evaluate */
equant_status ensemble_evaluate(ensemble *walkers, const sampler_target *target, size_t n_sets);
void ensemble_accept(ensemble *walkers, uint64_t step, size_t half);

/* The beginning, in place of propose and accept: start[population][temperature][walker]
 * [n_coordinates], or draws from the prior where start is NULL; and all are taken, likely or
 * not. */
void ensemble_place(ensemble *walkers, const sampler_target *target, size_t half,
                    const double *start);
void ensemble_settle(ensemble *walkers, size_t half);

/* The threads that a loop over so much work is worth, by its rough cost on one. */
int ensemble_threads(const ensemble *walkers, double nanoseconds);

/* Whether walkers at this temperature are drawn from the prior instead of moved. */
bool ensemble_is_drawn(const ensemble *walkers, const sampler_target *target, size_t temperature);

/* The swaps of a step: between temperatures 0 and 1, 2 and 3 ... in even steps, between 1 and
 * 2, 3 and 4 ... in odd ones, so that walkers keep the direction in which they travel (Syed et
 * al. 2022, J. R. Stat. Soc. B 84, 321). Adds to rejection[gap][population] the probabilities
 * with which walkers stayed, and to round_trips[population] the walkers that came back to the
 * cold end from the hot one. */
void ensemble_swap(ensemble *walkers, uint64_t step, double *rejection, uint64_t *round_trips);

#endif
