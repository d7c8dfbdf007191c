/* The kinds of correlated noise, as plain numbers that travel to a GPU: which terms a model has and
 * how many parameters each of them brings. noise/noise_catalogue.c has the words,
 * statistics/noise_terms.h the formulas. */
#ifndef EQUANT_MODEL_NOISE_KIND_H
#define EQUANT_MODEL_NOISE_KIND_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/shared_function.h"

/* In the order of the catalogue. */
typedef enum noise_kind {
    NOISE_NIGHT,
    NOISE_EXPONENTIAL,
    NOISE_MATERN32,
    NOISE_MATERN52,
    NOISE_SLOW,
    NOISE_SHO,
    NOISE_GRANULATION,
    NOISE_ROTATION,
    NOISE_MEP,
    NOISE_MEP4,
    NOISE_ES,
    NOISE_ESP2,
    NOISE_ESP3,
    NOISE_QP,
    N_NOISE_KINDS
} noise_kind;

enum { NOISE_KIND_MOST_TERMS = 8, NOISE_KIND_MOST_PARAMETERS = 6 };

/* The terms of a model, in the order of their columns. */
typedef struct noise_kinds {
    int n;
    noise_kind kind[NOISE_KIND_MOST_TERMS];
    int owner[NOISE_KIND_MOST_TERMS]; /* 0: all velocities; from 1: those of one instrument */
} noise_kinds;

SHARED_FUNCTION size_t noise_kind_parameters(noise_kind kind)
{
    switch (kind) {
    case NOISE_NIGHT:
        return 1;
    case NOISE_EXPONENTIAL:
    case NOISE_MATERN32:
    case NOISE_MATERN52:
    case NOISE_SLOW:
    case NOISE_GRANULATION:
    case NOISE_ES:
        return 2;
    case NOISE_SHO:
        return 3;
    case NOISE_MEP:
    case NOISE_MEP4:
    case NOISE_ESP2:
    case NOISE_ESP3:
    case NOISE_QP:
        return 4;
    case NOISE_ROTATION:
        return 5;
    case N_NOISE_KINDS:
        break;
    }
    return 0;
}

/* As callers say it. */
#ifndef __CUDACC__
const char *noise_kind_name(noise_kind kind);

/* The kind of a name of n letters; N_NOISE_KINDS: there is none. */
noise_kind noise_kind_find(const char *name, size_t n);

/* Terms in the order of the catalogue, and those of one kind in that of their instruments. */
void noise_kinds_sort(noise_kinds *kinds);

/* The names of all terms in that order, "night@0,rotation", instruments by their numbers: one text
 * for one noise, whatever it was called. */
enum { NOISE_KINDS_TEXT_SIZE = 192 };
void noise_kinds_write_sorted(const noise_kinds *kinds, char text[NOISE_KINDS_TEXT_SIZE]);
#endif

/* Whether a term needs the covariance as a whole matrix: no recursion knows it. */
SHARED_FUNCTION bool noise_kind_is_whole(noise_kind kind)
{
    return kind == NOISE_QP;
}

/* Parameters of all terms together. */
SHARED_FUNCTION size_t noise_kinds_parameters(const noise_kinds *kinds)
{
    size_t n = 0;
    for (int i = 0; i < kinds->n && i < NOISE_KIND_MOST_TERMS; i++)
        n += noise_kind_parameters(kinds->kind[i]);
    return n;
}

SHARED_FUNCTION bool noise_kinds_have(const noise_kinds *kinds, noise_kind wanted)
{
    for (int i = 0; i < kinds->n; i++)
        if (kinds->kind[i] == wanted)
            return true;
    return false;
}

/* Term number `kind` of an owner; n: there is none. */
SHARED_FUNCTION int noise_kinds_find(const noise_kinds *kinds, noise_kind kind, int owner)
{
    int i = 0;
    while (i < kinds->n && (kinds->kind[i] != kind || kinds->owner[i] != owner))
        i++;
    return i;
}

/* Where the parameters of a term begin among those of all of them. */
SHARED_FUNCTION size_t noise_kinds_place(const noise_kinds *kinds, int term)
{
    size_t place = 0;
    for (int i = 0; i < kinds->n && i < term; i++)
        place += noise_kind_parameters(kinds->kind[i]);
    return place;
}

/* What parameters of noise must be above: amplitudes, times, qualities and shares are positive, and
 * what is slow takes more than 200 days. */
SHARED_FUNCTION double noise_kind_least(noise_kind kind, size_t index)
{
    return kind == NOISE_SLOW && index == 1 ? 200.0 : 0.0;
}

/* Whether terms can have these values, one term behind the other. */
SHARED_FUNCTION bool noise_kinds_allow(const noise_kinds *kinds, const double *values)
{
    bool inside = true;
    for (int i = 0; i < kinds->n; i++)
        for (size_t j = 0; j < noise_kind_parameters(kinds->kind[i]); j++, values++)
            inside = inside && *values > noise_kind_least(kinds->kind[i], j) && isfinite(*values);
    return inside;
}

#endif
