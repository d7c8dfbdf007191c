/* What a parameter set is: the one description that core, backends, statistics, inference and
 * output read.
 *
 * A model is a sum of terms. Each has its columns in a parameter set, one term behind the other:
 *
 *   orbits    n_elements of each planet                        non-linear
 *   offsets   of the instruments                               linear
 *   trend     in powers of time                                linear
 *   jitters   of the instruments                               noise
 *   noise     parameters of its terms, one behind the other    noise
 *
 * A linear term is given, its columns being part of the set, or it is left out and solved for
 * exactly. Whoever needs columns asks for those of a term; nobody counts them.
 *
 * Plain data without pointers: it travels to a GPU by value. */
#ifndef EQUANT_MODEL_PARAMETER_LAYOUT_H
#define EQUANT_MODEL_PARAMETER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/noise_kind.h"
#include "model/orbit_elements.h"
#include "model/shared_function.h"

/* Terms in the order of their columns. */
typedef enum parameter_term {
    TERM_ORBITS,
    TERM_OFFSETS,
    TERM_TREND,
    TERM_JITTERS,
    TERM_NOISE,
    N_TERMS
} parameter_term;

/* What a term does to the data. */
typedef enum term_role { ROLE_ORBIT, ROLE_LINEAR, ROLE_NOISE } term_role;

/* What a caller chooses; everything else follows. */
typedef struct parameter_shape {
    size_t n_planets, n_instruments;
    int trend_order; /* 0 none, 1 linear, 2 quadratic */
    bool offsets_given, trend_given;
    size_t n_jitters; /* one of each instrument, one for all, or none */
    noise_kinds noise;
} parameter_shape;

typedef struct parameter_columns {
    size_t first, n; /* n = 0: the set has none of them */
} parameter_columns;

typedef struct parameter_layout {
    size_t n_planets, n_instruments;
    int trend_order;
    size_t n_elements;                  /* columns of one planet                     */
    size_t n_parameters;                /* columns of a set                          */
    size_t n_linear;                    /* linear parameters, given or solved        */
    bool given[N_TERMS];                /* false: left out of sets and solved for    */
    parameter_columns columns[N_TERMS]; /* of each term in a set                     */
    noise_kinds noise;                  /* terms of correlated noise                 */
} parameter_layout;

SHARED_FUNCTION term_role parameter_term_role(parameter_term term)
{
    return term == TERM_ORBITS                          ? ROLE_ORBIT
           : term == TERM_JITTERS || term == TERM_NOISE ? ROLE_NOISE
                                                        : ROLE_LINEAR;
}

/* How many parameters a term has, in the set or solved for. */
SHARED_FUNCTION size_t parameter_shape_count(const parameter_shape *shape, parameter_term term)
{
    switch (term) {
    case TERM_ORBITS:
        return N_ELEMENTS * shape->n_planets;
    case TERM_OFFSETS:
        return shape->n_instruments;
    case TERM_TREND:
        return (size_t)shape->trend_order;
    case TERM_JITTERS:
        return shape->n_jitters;
    case TERM_NOISE:
        return noise_kinds_parameters(&shape->noise);
    case N_TERMS:
        break;
    }
    return 0;
}

/* False for a term that is solved for. */
SHARED_FUNCTION bool parameter_shape_gives(const parameter_shape *shape, parameter_term term)
{
    return term == TERM_OFFSETS ? shape->offsets_given
           : term == TERM_TREND ? shape->trend_given
                                : true;
}

SHARED_FUNCTION parameter_layout parameter_layout_of(parameter_shape shape)
{
    parameter_layout layout;
    layout.n_planets = shape.n_planets;
    layout.n_instruments = shape.n_instruments;
    layout.trend_order = shape.trend_order;
    layout.n_elements = N_ELEMENTS;
    layout.noise = shape.noise;
    layout.n_parameters = layout.n_linear = 0;
    for (int i = 0; i < N_TERMS; i++) {
        parameter_term term = (parameter_term)i;
        size_t n = parameter_shape_count(&shape, term);
        layout.given[i] = parameter_shape_gives(&shape, term);
        layout.columns[i].first = layout.n_parameters;
        layout.columns[i].n = layout.given[i] ? n : 0;
        layout.n_parameters += layout.columns[i].n;
        if (parameter_term_role(term) == ROLE_LINEAR)
            layout.n_linear += n;
    }
    return layout;
}

/* A layout whose linear terms are all given: what priors, fits and draws have. */
SHARED_FUNCTION parameter_layout parameter_layout_all_given(size_t n_planets, size_t n_instruments,
                                                            int trend_order, size_t n_jitters)
{
    parameter_shape shape;
    shape.n_planets = n_planets;
    shape.n_instruments = n_instruments;
    shape.trend_order = trend_order;
    shape.offsets_given = shape.trend_given = true;
    shape.n_jitters = n_jitters;
    shape.noise.n = 0;
    for (int i = 0; i < NOISE_KIND_MOST_TERMS; i++) {
        shape.noise.kind[i] = NOISE_NIGHT;
        shape.noise.owner[i] = 0;
    }
    return parameter_layout_of(shape);
}

/* Where the columns of a term begin, and where they end. */
SHARED_FUNCTION size_t parameter_layout_first(const parameter_layout *layout, parameter_term term)
{
    return layout->columns[term].first;
}

SHARED_FUNCTION size_t parameter_layout_end(const parameter_layout *layout, parameter_term term)
{
    return layout->columns[term].first + layout->columns[term].n;
}

/* True where a set has columns of a term. */
SHARED_FUNCTION bool parameter_layout_has(const parameter_layout *layout, parameter_term term)
{
    return layout->columns[term].n > 0;
}

/* Noise stands last: where its columns begin, and whether a set has any, so that the weights of
 * the data change from set to set. */
SHARED_FUNCTION size_t parameter_layout_first_noise(const parameter_layout *layout)
{
    return layout->columns[TERM_JITTERS].first;
}

SHARED_FUNCTION bool parameter_layout_has_noise(const parameter_layout *layout)
{
    return parameter_layout_first_noise(layout) < layout->n_parameters;
}

/* The values of a term in a set; NULL where the set has none. */
SHARED_FUNCTION const double *parameter_layout_values(const parameter_layout *layout,
                                                      parameter_term term, const double *set)
{
    return parameter_layout_has(layout, term) ? set + layout->columns[term].first : NULL;
}

/* One set, term by term; NULL where it has none. */
typedef struct parameter_view {
    const double *orbits, *offsets, *trend, *jitters, *noise;
} parameter_view;

SHARED_FUNCTION parameter_view parameter_layout_view(const parameter_layout *layout,
                                                     const double *set)
{
    parameter_view view;
    view.orbits = parameter_layout_values(layout, TERM_ORBITS, set);
    view.offsets = parameter_layout_values(layout, TERM_OFFSETS, set);
    view.trend = parameter_layout_values(layout, TERM_TREND, set);
    view.jitters = parameter_layout_values(layout, TERM_JITTERS, set);
    view.noise = parameter_layout_values(layout, TERM_NOISE, set);
    return view;
}

/* The same, walking over the terms from the front. Compilers for GPUs make more of one or of the
 * other, by as much as a tenth of a kernel's speed: the fast kernel takes what it measured. */
SHARED_FUNCTION parameter_view parameter_layout_walk(const parameter_layout *layout,
                                                     const double *set)
{
    parameter_view view = {set, NULL, NULL, NULL, NULL};
    const double *next = set + N_ELEMENTS * layout->n_planets;
    if (layout->given[TERM_OFFSETS]) {
        view.offsets = next;
        next += layout->n_instruments;
    }
    if (layout->given[TERM_TREND] && layout->trend_order > 0) {
        view.trend = next;
        next += layout->trend_order;
    }
    if (parameter_layout_has(layout, TERM_JITTERS))
        view.jitters = next;
    view.noise = parameter_layout_values(layout, TERM_NOISE, set);
    return view;
}

/* The term to which a column belongs. */
SHARED_FUNCTION parameter_term parameter_layout_term(const parameter_layout *layout, size_t column)
{
    int term = 0;
    while (term < N_TERMS - 1 && column >= parameter_layout_end(layout, (parameter_term)term))
        term++;
    return (parameter_term)term;
}

/* Which element of an orbit a column is; N_ELEMENTS for the columns of other terms. */
SHARED_FUNCTION size_t parameter_layout_element(const parameter_layout *layout, size_t column)
{
    return column < parameter_layout_end(layout, TERM_ORBITS) ? column % layout->n_elements
                                                              : (size_t)N_ELEMENTS;
}

/* Where the elements of a planet begin. */
SHARED_FUNCTION size_t parameter_layout_orbit(const parameter_layout *layout, size_t planet)
{
    return layout->columns[TERM_ORBITS].first + layout->n_elements * planet;
}

#endif
