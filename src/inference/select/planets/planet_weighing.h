/* What a model loses without its planets: each alone, and the least probable of them together, all
 * else refitted and the noise chosen anew. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_PLANET_WEIGHING_H
#define EQUANT_INFERENCE_SELECT_PLANETS_PLANET_WEIGHING_H

#include "inference/select/planets/planet_finder.h"
#include "inference/select/aliases/weighed_models.h"
#include "inference/select/models/seen_models.h"
#include "inference/search/significance.h"

/* What planets are weighed by. */
typedef struct planet_weighing {
    const planet_finder_options *options;
    const significance *judge;
    seen_models *seen; /* models that are made are noted here; NULL: nowhere */
} planet_weighing;

/* `fitted` without one of its planets, into `without`. */
equant_status planet_weighing_leave_out(study *star, const planet_weighing *by,
                                        const solution *fitted, size_t planet, solution *without);

/* The false-alarm probability of one planet of `with`, compared with a solution that lacks it:
 * as the orbit it has or, where that is not enough, as the circle that noise mimics least, which
 * `circle` is for. */
equant_status planet_weighing_false_alarm(study *star, const planet_weighing *by,
                                          const solution *with, size_t planet,
                                          const solution *without, solution *circle, double *alarm);

/* The models that lack one planet of a solution, each refitted. Zero-initialised ones may be
 * freed. */
typedef struct planet_rests {
    solution without[STUDY_MAX_PLANETS];
} planet_rests;

void planet_rests_free(planet_rests *rests);

/* The figures of each planet of `best` but its odds, into the result, and the models without
 * it. */
equant_status planet_weighing_each(study *star, const planet_weighing *by, solution *best,
                                   planet_rests *rests, planet_finder_result *result);

/* A model, one of its planets, and the model that lacks it. */
typedef struct planet_pair {
    const solution *with;
    size_t planet;
    const solution *without;
    weighed_models *made; /* where models are found again; NULL: they are not kept */
} planet_pair;

/* ln of the odds of the planets of some pairs, but for their share of the periods. Noise is not
 * known: what either model of a pair has is offered to both, and each term that neither has
 * besides, where the star chooses its noise. A term that the BIC refuses beside the planet may be
 * most of what is believed there, and one that it refuses on both sides may make the planet. Terms
 * are paid for by an integral over their ranges. */
equant_status planet_weighing_odds(study *star, size_t n_fixed, size_t n, const planet_pair *pairs,
                                   double *log_odds);

/* From these odds and the share of its period: how probable a planet is. */
equant_status planet_weighing_probability(study *star, size_t n_fixed, const planet_pair *pair,
                                          double *probability);

/* By what planets of a result are told from each other: their odds or, where these are not asked
 * for, what they gain. */
const double *planet_weighing_ranks(const planet_finder_options *options,
                                    const planet_finder_result *result);

/* Planets that imitate a noise together each look necessary beside the others. The models that lack
 * the two of the result with the lowest ranks, the three and so on go to its `together`;
 * `rest` becomes the one whose odds against `best` are the highest, with ln of these; minus
 * infinity where there is none. */
equant_status planet_weighing_together(study *star, const planet_weighing *by, const solution *best,
                                       planet_finder_result *result, solution *rest,
                                       double *log_odds);

/* ln of the odds of another model with its own planets and noise, refitted, against `best`. */
equant_status planet_weighing_other(study *star, const planet_weighing *by, const solution *best,
                                    solution *other, double *log_odds);

#endif
