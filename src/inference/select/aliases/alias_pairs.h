/* Two planets whose alias families swap together: where each has another period only if the other
 * has, neither family finds it alone. */
#ifndef EQUANT_INFERENCE_SELECT_ALIASES_ALIAS_PAIRS_H
#define EQUANT_INFERENCE_SELECT_ALIASES_ALIAS_PAIRS_H

#include "inference/select/aliases/alias_family.h"

/* Pairs of periods that are kept, at most, and members of each family that are tried besides the
 * first. */
enum { ALIAS_PAIRS_MOST = 8, ALIAS_PAIRS_TRIED = 2 };

typedef struct alias_pair {
    double own_days[2], other_days[2]; /* periods of the two planets in the fit, and of the pair */
    double probability, delta_lnl;
} alias_pair;

typedef struct alias_pairs {
    size_t n;
    alias_pair list[ALIAS_PAIRS_MOST]; /* the most probable first */
} alias_pairs;

/* Fits the pairs of members of any two families, of planets from `first` on, and gives all members
 * the probabilities that they have together. `fitted` becomes the model with the most probable
 * pair, where that is a pair, and *has_changed true: families are then to be resolved again. */
equant_status alias_pairs_resolve(study *star, size_t n_fixed, size_t first, solution *fitted,
                                  alias_family *families, alias_pairs *pairs, bool *has_changed);

#endif
