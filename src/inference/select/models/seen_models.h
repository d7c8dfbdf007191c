/* The models that the analysis of a star has seen, each once, whatever the order of its planets and
 * the way to it, and the best of them. Scores are found when they are asked for, and only of models
 * that may matter. */
#ifndef EQUANT_INFERENCE_SELECT_MODELS_SEEN_MODELS_H
#define EQUANT_INFERENCE_SELECT_MODELS_SEEN_MODELS_H

#include "inference/select/models/model_score.h"

/* Beyond so many, those with the lowest bounds are forgotten. */
enum { SEEN_MODELS_MOST = 256 };

typedef struct seen_model {
    solution fitted;
    double bound;          /* its score is not higher; NaN: not known */
    double score;          /* NaN: not known */
    bool is_paid;          /* the price of its noise is an integral over its parameters */
    const char *dismissed; /* why it is no answer whatever its score is; NULL: it may be one */
} seen_model;

typedef struct seen_models {
    given_planets given;
    size_t n_wanted; /* planets that were asked for: other models do not count; 0: any number */
    size_t n;
    seen_model *list; /* [SEEN_MODELS_MOST], NULL before the first */
} seen_models;

/* Whether two models are the same: their terms of noise, indicators, outliers and trends are, and
 * for each planet of one there is one of the other with its frequency, to half the resolution of
 * the data. */
bool seen_models_are_same(const study *star, const solution *one, const solution *other);

/* Keeps a fitted model: a new one or, of those that are the same, the better fit. */
equant_status seen_models_note(const study *star, const solution *fitted, seen_models *seen);

/* Finds the scores of all models that may be within a margin of the best. */
equant_status seen_models_score(study *star, double margin, seen_models *seen);

/* Which of the models a question is about. */
typedef struct seen_models_question {
    bool (*is_meant)(const study *star, const solution *model, const void *context);
    const void *context;
} seen_models_question;

/* The best of those, dismissed or not; NULL: there is none. */
equant_status seen_models_best_of(study *star, const seen_models_question *asked, seen_models *seen,
                                  const seen_model **best);

/* Whether a model has a planet with a period, to half the resolution of the data. */
bool seen_models_has_period(const study *star, const solution *model, double period_days);

/* Finds the score of a model that was seen. */
equant_status seen_models_score_of(study *star, const solution *model, seen_models *seen,
                                   double *score);

/* A model that is no answer, with a clause that can follow "because"; it lives as long as the list.
 */
void seen_models_dismiss(const seen_model *model, const char *because, seen_models *seen);

/* The best model that has a score and was not dismissed; NULL: none has. */
const seen_model *seen_models_best(const seen_models *seen);

/* Zero-initialised ones may be freed. */
void seen_models_free(seen_models *seen);

#endif
