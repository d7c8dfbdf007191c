/* How probable it is that a planet is there: the odds of the model with it against the one without,
 * as evidences by Laplace's method have them. */
#ifndef EQUANT_INFERENCE_FIND_PLANET_ODDS_H
#define EQUANT_INFERENCE_FIND_PLANET_ODDS_H

#include "inference/find/alias_family.h"
#include "inference/study/solution.h"

/* What a model gains by a planet, both refitted and their noise paid for: ln of the odds but for
 * the share. Both numbers of planets are as probable before. With `planet` that of none, `with` is
 * another model of the same planets. */
equant_status planet_odds_gain(study *star, size_t n_fixed, const solution *with, size_t planet,
                               const solution *without, double *gain);

/* ln of the odds of two models that may differ in everything: planets, noise, outliers, trend; of
 * stars the restless are the rarer, as for false alarms. The first n_known planets are in both. */
equant_status planet_odds_between(study *star, size_t n_known, const solution *one,
                                  const solution *other, double *log_odds);

/* ln of the share of its prior in which a planet does as well, all periods of its family added
 * up. */
double planet_odds_share(const study *star, const alias_family *family);

/* ln of the sum of two odds, of models that exclude each other. */
double planet_odds_either(double log_odds, double other);

/* From ln odds: the probability that it is there, and that it is not, which keeps its digits where
 * the other is 1. */
double planet_odds_probability(double log_odds);
double planet_odds_false_inclusion(double log_odds);

/* A planet that is there with a probability, whatever others are: from the probabilities of 0 to
 * n_most planets before it to those of 0 to n_most + 1, for which there is room. */
void planet_odds_count(double probability, double false_inclusion, size_t n_most, double *numbers);

#endif
