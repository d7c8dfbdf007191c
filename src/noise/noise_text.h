/* Noise in words: "rotation(period=20:30, decay=60), night@HARPS". A value fixes a parameter, a
 * range bounds it, and one that is not named is left open; a term with the name of an instrument
 * behind @ moves its velocities alone. */
#ifndef EQUANT_NOISE_NOISE_TEXT_H
#define EQUANT_NOISE_NOISE_TEXT_H

#include "equant.h"
#include "noise/noise_catalogue.h"

enum { NOISE_TEXT_MOST_TERMS = 8, NOISE_TEXT_OWNER_SIZE = 40 };

/* Both ends are the same where a parameter has a value, NaN where nothing is said of it. */
typedef struct noise_term {
    const noise_term_kind *kind;
    double lowest[NOISE_CATALOGUE_MOST_PARAMETERS], highest[NOISE_CATALOGUE_MOST_PARAMETERS];
    char owner[NOISE_TEXT_OWNER_SIZE]; /* its instrument, as it was called; "": of all */
} noise_term;

/* Up to NOISE_TEXT_MOST_TERMS terms. A rotation that has a decay or a width is mep, the term with
 * these parameters. */
equant_status noise_text_read(const char *text, noise_term *terms, size_t *n_terms);

/* The same where every parameter has to have a value; "white" has no terms. */
equant_status noise_text_read_values(const char *text, noise_term *terms, size_t *n_terms);

/* Whether a term can have these values. */
bool noise_text_has_sense(const noise_term_kind *kind, const double *values);

#endif
