/* What a model says that another does not, in words. */
#ifndef EQUANT_INFERENCE_SELECT_MODELS_MODEL_WORDS_H
#define EQUANT_INFERENCE_SELECT_MODELS_MODEL_WORDS_H

#include "inference/optimise/solution.h"

enum { MODEL_WORDS_SIZE = 384, MODEL_WORDS_NOISE_SIZE = 128 };

/* "noise mep of 3.1 m/s with a period of 75.9 days and 1 outlier more": what `other` has and lacks
 * beside `model`, but for the planet with a period; "nothing" where there is no difference. */
void model_words_changes(const study *star, const solution *model, const solution *other,
                         double but_days, char text[MODEL_WORDS_SIZE]);

/* "night, mep"; "white" where there are jitters alone. */
void model_words_noise(const study *star, const solution *model, char text[MODEL_WORDS_NOISE_SIZE]);

#endif
