/* Models with one choice of noise that were made to be weighed. The model of all planets is on one
 * side of every planet's odds and on the other side of those of a candidate: it is made once. */
#ifndef EQUANT_INFERENCE_SELECT_ALIASES_WEIGHED_MODELS_H
#define EQUANT_INFERENCE_SELECT_ALIASES_WEIGHED_MODELS_H

#include "inference/optimise/solution.h"

/* Zero-initialised ones are empty and may be freed. */
typedef struct weighed_models {
    size_t n;
    struct weighed_model *list;
} weighed_models;

/* The model that was made of one by taking this noise; NULL: it was not made yet. */
const solution *weighed_models_find(const study *star, const weighed_models *models,
                                    const solution *of, noise_choice noise);
equant_status weighed_models_keep(const study *star, const solution *of, noise_choice noise,
                                  const solution *made, weighed_models *models);
/* Those that were made, in the order in which they were kept. */
const solution *weighed_models_at(const weighed_models *models, size_t index);
void weighed_models_free(weighed_models *models);

#endif
