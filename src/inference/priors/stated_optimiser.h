/* An optimisation of a model of which something is known: its unknowns, where it stands, and how ln
 * L and the priors change around it. stated_fit.h has what callers want of one. */
#ifndef EQUANT_INFERENCE_PRIORS_STATED_OPTIMISER_H
#define EQUANT_INFERENCE_PRIORS_STATED_OPTIMISER_H

#include "inference/priors/stated_fit.h"

/* A number that may move: a coordinate of a planet, a column of the set, or the logarithm of one
 * that may be measured in another. */
typedef struct stated_unknown {
    size_t planet, place; /* place: N_STATED where it is a column */
    size_t column;        /* of the set; of a planet its first    */
    bool is_noise;        /* beside an evaluator: its slopes are differences */
    bool is_logarithm;
    size_t divisor; /* SIZE_MAX: none */
    double lower, upper;
    const parameter_state *said; /* of a column; NULL: nothing           */
} stated_unknown;

typedef struct stated_optimiser {
    const stated_problem *problem;
    parameter_layout layout; /* of sets */
    bool is_white;
    size_t n, n_planets, n_unknowns, first_noise; /* unknowns of noise are the last ones */
    double reference_time_days, typical_sigma;
    stated_orbit *orbits;
    stated_unknown *unknowns;
    double (*at)[N_STATED], (*next)[N_STATED]; /* of the planets */
    double *set, *trial;                       /* [n] */
    double *gradient, *fisher;                 /* of the set, planets regular */
    double *slope, *matrix, *step, *work;      /* of the unknowns */
    bool *is_held;
    double height; /* ln L and ln prior */
} stated_optimiser;

/* Whether an unknown stands at an end of its range. */
typedef struct stated_ends {
    bool at_lower, at_upper;
} stated_ends;

/* From a set, [n]: what is fixed has its value, all else is within its bounds. Free it after a
 * success. */
equant_status stated_optimiser_create(const stated_problem *problem, const double *set,
                                      stated_optimiser *c);
void stated_optimiser_free(stated_optimiser *c);

/* Makes shapes rounder until no orbits cross that must not; what is fixed stays. */
void stated_optimiser_keep_apart(const stated_optimiser *c, double (*at)[N_STATED]);

/* The elements of planets at their coordinates go into a set. */
void stated_optimiser_fill(const stated_optimiser *c, double (*at)[N_STATED], double *set);

/* The coordinate of a column of a set. */
double stated_optimiser_coordinate(const stated_unknown *own, const double *set);

/* Puts the coordinate of a noise parameter, which may not be within its bounds, into a set. What is
 * measured in it goes with it. A jitter means the same on either side of zero. */
void stated_optimiser_move(const stated_optimiser *c, size_t index, double x, double *set);

/* Whether it is the jitter of an instrument. */
bool stated_optimiser_is_jitter(const stated_optimiser *c, const stated_unknown *own);

stated_ends stated_optimiser_ends(const stated_optimiser *c, const stated_unknown *own);
bool stated_optimiser_is_at_end(const stated_optimiser *c, const stated_unknown *own);

/* ---- in stated_slopes.c ------------------------------------------------------------------- */

/* ln L and ln prior of a set; -INFINITY where there is none. `found` may be NULL. */
equant_status stated_optimiser_objective(const stated_optimiser *c, const double *set,
                                         double *height, stated_result *found);

/* The derivatives of the set, planets regular, by an unknown: returns how many there are, in
 * `columns` and `values`. What is measured in a period goes with it, but at an end of its range. */
size_t stated_optimiser_moves(const stated_optimiser *c, const stated_unknown *own,
                              double (*slopes)[N_ELEMENTS][N_STATED], size_t columns[N_ELEMENTS],
                              double values[N_ELEMENTS]);

/* By how much the coordinate of a noise parameter moves for a difference. */
double stated_optimiser_difference(const stated_optimiser *c, const stated_unknown *own);

/* Slope and matrix of the unknowns at the set, the data's part multiplied by `share`, but for noise
 * that an evaluator does not know. */
equant_status stated_optimiser_differentiate(stated_optimiser *c, double share);

#endif
