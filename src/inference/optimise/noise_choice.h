/* Which noise a star has beside its jitters, and which indicators its velocities follow: terms of
 * the menu come and go one at a time, everything refitted, while the BIC falls. */
#ifndef EQUANT_INFERENCE_OPTIMISE_NOISE_CHOICE_H
#define EQUANT_INFERENCE_OPTIMISE_NOISE_CHOICE_H

#include "inference/optimise/solution.h"

/* Gives a solution without planets the noise that every model has, with values to fit from. */
equant_status noise_choice_begin(study *star, solution *fitted);

/* Improves the choice of a solution that has been fitted. */
equant_status noise_choice_improve(study *star, size_t n_fixed, solution *fitted);

/* Looks for better values of the terms that a solution has chosen, from the beginning: a planet
 * that came or went moves the best period of a rotation farther than a fit follows. */
equant_status noise_choice_restart(study *star, size_t n_fixed, solution *fitted);

/* A solution whose noise has other shapes in the menu gets the likeliest of them. */
equant_status noise_choice_reshape(study *star, size_t n_fixed, solution *fitted,
                                   bool *has_changed);

/* Works out what the terms of a solution cost, where the star chooses noise and the solution does
 * not know it. */
equant_status noise_choice_price(study *star, size_t n_fixed, solution *fitted);

/* The same from all of the ranges of the terms, which takes longer, in the place of what is known;
 * where that fails, what is known stays. */
equant_status noise_choice_price_by_integral(study *star, size_t n_fixed, solution *fitted);

/* Gives a fitted solution the terms, indicators and outliers of another one, all else refitted. */
equant_status noise_choice_adopt(study *star, size_t n_fixed, noise_choice wanted,
                                 solution *fitted);

/* Whether two choices are one. */
bool noise_choice_is_same(noise_choice one, noise_choice other);

/* Whether a model with some terms may have this one besides: it is no other shape of what there is,
 * and an integral over its range does not take too long. */
bool noise_choice_may_add(const study *star, unsigned terms, size_t term);

/* What a term or an indicator of the menu is worth to a model: ln L with it less ln L without it,
 * and by how much the BIC falls with it, everything refitted; with indicators that the model lacks
 * all but the noise. Of a shape that is not chosen, what it is worth in the place of the one that
 * is; NaN where neither is. */
typedef struct noise_trial {
    double log_likelihood_gain, delta_bic;
} noise_trial;

/* One for each term and each indicator of the menu. */
equant_status noise_choice_try_all(study *star, size_t n_fixed, const solution *fitted,
                                   noise_trial *terms, noise_trial *indicators);

#endif
