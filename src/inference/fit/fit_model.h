/* A fit that is one of several models of a star. */
#ifndef EQUANT_INFERENCE_FIT_FIT_MODEL_H
#define EQUANT_INFERENCE_FIT_FIT_MODEL_H

#include <stdbool.h>

#include "equant.h"

/* equant_fit_star; a fit that is alone does not compare itself with the models that lack one of its
 * planets, so that their gains mean nothing. */
equant_status fit_model(const equant_dataset *dataset, const equant_fit_options *options,
                        bool is_alone, equant_fit **out);

#endif
