/* Words for the coordinates of orbits, "per tc secosw sesinw k", as fits and samplers take them. */
#ifndef EQUANT_INFERENCE_PRIORS_BASIS_WORDS_H
#define EQUANT_INFERENCE_PRIORS_BASIS_WORDS_H

#include <stdbool.h>

#include "equant/status.h"
#include "statistics/orbit_basis.h"

/* What no word is about is left to whoever asks. */
typedef struct basis_words {
    bool has_period, has_linear_period, has_k, has_linear_k;
    bool has_shape, has_phase;
    basis_shape shape;
    basis_phase phase;
} basis_words;

/* NULL has no words. */
equant_status basis_words_read(const char *text, basis_words *made);

#endif
