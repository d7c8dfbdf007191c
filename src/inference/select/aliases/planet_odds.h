/* How probable it is that a planet is there: the odds of the model with it against the one without,
 * as evidences by Laplace's method have them. */
#ifndef EQUANT_INFERENCE_SELECT_ALIASES_PLANET_ODDS_H
#define EQUANT_INFERENCE_SELECT_ALIASES_PLANET_ODDS_H

#include "inference/select/aliases/alias_family.h"
#include "inference/optimise/solution.h"

/* What a model gains by a planet, both refitted and their noise paid for: ln of the odds but for
 * the share and for which of the planets it is. With `planet` that of none, `with` is another model
 * of the same planets. */
equant_status planet_odds_gain(study *star, size_t n_fixed, const solution *with, size_t planet,
                               const solution *without, double *gain);

/* ln of the share of its prior in which a planet does as well, all periods of its family added
 * up. */
double planet_odds_share(const study *star, const alias_family *family);

/* The same for the period that it has in a model alone. */
equant_status planet_odds_own_share(study *star, size_t n_fixed, const solution *model,
                                    size_t planet, double *log_share);

/* ln of the sum of two odds, of models that exclude each other. */
double planet_odds_either(double log_odds, double other);

/* From ln odds: the probability that it is there. */
double planet_odds_probability(double log_odds);

/* ln of the odds of one of n planets, the others sure: any of the n may be the one that was found
 * here. */
double planet_odds_of_one(double log_odds, size_t n);

/* A model that lacks several planets of another, its noise chosen anew, with ln of its odds against
 * that one, places not counted. */
typedef struct planet_absence {
    bool is_absent[STUDY_MAX_PLANETS];
    double log_odds;
} planet_absence;

typedef struct planet_absences {
    size_t n, n_planets; /* models, and planets of the one that lacks none */
    planet_absence models[STUDY_MAX_PLANETS];
} planet_absences;

/* Two planets change places. */
void planet_absences_swap(planet_absences *together, size_t one, size_t other);

/* Planets of which each has these odds beside the others, [n], infinite where it is given: the
 * probabilities that each is there and that it is not, and of 0 to n planets, [n + 1]. Before the
 * data all numbers of planets are as probable, and each planet is anywhere, so that k of them are
 * found at k places in k! ways. Planets that imitate a noise together are each sure beside the
 * others: models that lack several at once (of the first of the n; NULL: none are known) count with
 * their own odds where these are higher than those of its planets one by one. */
void planet_odds_settle(size_t n, const double *log_odds, const planet_absences *together,
                        double *probability, double *false_inclusion, double *numbers);

#endif
