/* A model: the description of its parameter sets, with the names of their columns. */
#ifndef EQUANT_CORE_MODEL_OBJECT_H
#define EQUANT_CORE_MODEL_OBJECT_H

#include "equant.h"
#include "model/model_quantities.h"

struct equant_model {
    parameter_layout layout;
    char (*names)[QUANTITIES_NAME_SIZE]; /* [n_parameters] */
};

/* Reads the names of noise terms, as equant_model_options has them; NULL: none. */
equant_status model_noise_read(const char *text, noise_kinds *made);

/* The same noise in the order of the catalogue, in which priors, posteriors and runs have it. */
equant_status model_noise_sort(const char *text, char sorted[NOISE_KINDS_TEXT_SIZE]);

#endif
