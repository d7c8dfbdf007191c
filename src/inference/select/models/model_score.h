/* The score of a model: ln of its evidence and of its prior probability, up to what all models of a
 * star have in common. Models are compared by it and by nothing else, whatever they differ in:
 * planets, noise, indicators, outliers, trend. */
#ifndef EQUANT_INFERENCE_SELECT_MODELS_MODEL_SCORE_H
#define EQUANT_INFERENCE_SELECT_MODELS_MODEL_SCORE_H

#include "inference/optimise/solution.h"

/* Which planets are given: the first n_known are in every model and have no prior; the first
 * n_fixed of these are not fitted. */
typedef struct given_planets {
    size_t n_known, n_fixed;
} given_planets;

/* The score of a fitted model whose noise is paid for (noise_choice_price_by_integral). Every
 * number of planets is as probable, and each planet is drawn for itself from the prior of orbits,
 * so that n of them can be drawn in n! orders (decision 0041). Trends are rare, and stars are the
 * rarer the noisier a model says that they are; how often they have noise beside jitters is in its
 * price. */
equant_status model_score(study *star, given_planets given, const solution *model, double *score);

/* An upper bound of it, in a hundredth of the time. */
equant_status model_score_bound(study *star, given_planets given, const solution *model,
                                double *score);

#endif
