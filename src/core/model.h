/* The shape of a model: which columns a parameter set has. */
#ifndef EQUANT_CORE_MODEL_H
#define EQUANT_CORE_MODEL_H

#include <stdbool.h>

#include "equant.h"

struct equant_model {
    size_t n_planets, n_instruments;
    int trend_order;
    bool offsets_given, trend_given, with_jitter;
    size_t n_parameters, n_linear;
    char (*names)[40]; /* [n_parameters] */
};

#endif
