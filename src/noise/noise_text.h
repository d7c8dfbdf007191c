/* Noise in words, "rotation(amplitude=3, period=25, ...), night(amplitude=1.5)". */
#ifndef EQUANT_NOISE_NOISE_TEXT_H
#define EQUANT_NOISE_NOISE_TEXT_H

#include "equant.h"
#include "noise/noise_catalogue.h"

enum { NOISE_TEXT_MOST_TERMS = 8 };

typedef struct noise_term {
    const noise_term_kind *kind;
    double values[NOISE_CATALOGUE_MOST_PARAMETERS];
} noise_term;

/* Up to NOISE_TEXT_MOST_TERMS terms. */
equant_status noise_text_read(const char *text, noise_term *terms, size_t *n_terms);

/* Whether a term can have these values. */
bool noise_text_has_sense(const noise_term_kind *kind, const double *values);

#endif
