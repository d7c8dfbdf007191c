/* The periods that one signal may have: observations repeat with the day, the month and the year,
 * and show a planet also at sums and differences of its frequency with theirs. Each member of the
 * family is fitted with everything else, and has its probability. */
#ifndef EQUANT_INFERENCE_SELECT_ALIASES_ALIAS_FAMILY_H
#define EQUANT_INFERENCE_SELECT_ALIASES_ALIAS_FAMILY_H

#include "inference/optimise/solution.h"

/* Circles that explain less of each other's signal are other signals, not aliases. */
#define ALIAS_FAMILY_OVERLAP 0.1

/* Members that are fitted, at most: the best of the circles. */
enum { ALIAS_FAMILY_MOST = 8 };

typedef struct alias_member {
    double period_days;
    double log_likelihood; /* of the whole model with it */
    double log_weight;     /* ln of its evidence, up to what is common */
    double probability;    /* among the family */
    double overlap;        /* share of the signal that it explains of the most probable, see
                              orbit_mass.h; 1 for itself */
} alias_member;

typedef struct alias_family {
    size_t n;         /* 1: no other period explains as much */
    bool is_compared; /* with other periods; false: of the planet alone */
    alias_member members[ALIAS_FAMILY_MOST];
    double log_share; /* ln of the evidence of all members over the likelihood of the first */
} alias_family;

/* A family of the planet alone. */
equant_status alias_family_alone(study *star, size_t n_fixed, size_t planet, const solution *fitted,
                                 solution *spare, alias_family *family);

/* The family of a planet of `fitted`, the most probable member first, and the model with that one
 * in `best`. */
equant_status alias_family_resolve(study *star, size_t n_fixed, size_t planet,
                                   const solution *fitted, solution *spare, solution *best,
                                   alias_family *family);

/* The member with a period becomes the first, with the probability that it has. */
void alias_family_lead(double period_days, alias_family *family);

/* From the weights of its members to their probabilities, the largest first. */
void alias_family_settle(alias_family *family);

#endif
