/* A model: the description of its parameter sets, with the names of their columns. */
#ifndef EQUANT_CORE_MODEL_H
#define EQUANT_CORE_MODEL_H

#include "equant.h"
#include "model/quantities.h"

struct equant_model {
    parameter_layout layout;
    char (*names)[QUANTITIES_NAME_SIZE]; /* [n_parameters] */
};

#endif
