/* The catalogue of noise terms in words: one row each, with its parameters. */
#ifndef EQUANT_NOISE_NOISE_CATALOGUE_H
#define EQUANT_NOISE_NOISE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics/noise_terms.h"

enum { NOISE_CATALOGUE_MOST_PARAMETERS = NOISE_KIND_MOST_PARAMETERS };

typedef struct noise_parameter_kind {
    const char *name, *unit, *about;
    double least; /* must be above this */
} noise_parameter_kind;

typedef struct noise_term_kind {
    const char *name, *about;
    size_t n_parameters;
    noise_parameter_kind parameters[NOISE_CATALOGUE_MOST_PARAMETERS];
    bool is_smooth;   /* the process has a derivative */
    bool is_rotation; /* its period is that in which the star turns */
} noise_term_kind;

size_t noise_catalogue_n(void);
const noise_term_kind *noise_catalogue_at(size_t index);

/* How many blocks a term has; nights have one for each instrument. */
int noise_catalogue_blocks(const noise_term_kind *kind, int n_instruments);

/* Its number. */
noise_kind noise_catalogue_number(const noise_term_kind *kind);

/* Whether a term needs the covariance as a whole matrix. */
bool noise_catalogue_is_whole(const noise_term_kind *kind);

/* The term of a name of n letters; NULL: there is none. */
const noise_term_kind *noise_catalogue_find(const char *name, size_t n);

/* Adds the blocks of a term; nights have one for each instrument. The caller has made sure that
 * there is room. */
void noise_catalogue_expand(const noise_term_kind *kind, const double *values, int n_instruments,
                            noise_process *made);

#endif
