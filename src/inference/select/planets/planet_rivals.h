/* Why the planets of a result are there, and why the candidate is not: for each the best of the
 * models seen that says otherwise. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_PLANET_RIVALS_H
#define EQUANT_INFERENCE_SELECT_PLANETS_PLANET_RIVALS_H

#include "inference/select/models/model_words.h"
#include "inference/select/models/seen_models.h"

enum { PLANET_RIVAL_SENTENCE_SIZE = 768 };

typedef struct planet_rival {
    double period_days;   /* of the planet that it lacks, or of the candidate that it has */
    bool is_of_candidate; /* that was refused */
    size_t n_planets;
    double planets_days[STUDY_MAX_PLANETS]; /* its own, in order */
    int trend_order;
    size_t n_outliers;
    char noise[MODEL_WORDS_NOISE_SIZE];
    double delta_lnl;   /* its ln L less that of the model that is reported */
    double delta_score; /* the same of ln of evidence and prior (models/model_score.h) */
    char sentence[PLANET_RIVAL_SENTENCE_SIZE];
} planet_rival;

typedef struct planet_rivals {
    size_t n;
    planet_rival list[STUDY_MAX_PLANETS + 1];
} planet_rivals;

/* Of all planets of `reported` that were found and, where there is one (NULL: none), of the last
 * planet of the candidate. */
equant_status planet_rivals_find(study *star, const solution *reported, const solution *candidate,
                                 seen_models *seen, planet_rivals *made);

#endif
