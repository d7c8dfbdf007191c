/* The families of all planets of a model. When the model changes, one planet less or one at another
 * period, only those are compared again whose signal that touches. */
#ifndef EQUANT_INFERENCE_SELECT_ALIASES_ALIAS_FAMILIES_H
#define EQUANT_INFERENCE_SELECT_ALIASES_ALIAS_FAMILIES_H

#include "inference/select/aliases/alias_family.h"
#include "inference/select/models/seen_models.h"

/* The families of the planets from `first` on. Of an earlier model with the same noise those of
 * planets from `first` to n_before are there, by its numbers; n_before = first: of none. `fitted`
 * becomes the model with the most probable members, where it is another, and *has_changed true; the
 * models with the most probable member of each family are noted in `seen` (NULL: nowhere). */
equant_status alias_families_resolve(study *star, size_t n_fixed, size_t first, size_t n_before,
                                     seen_models *seen, solution *fitted, alias_family *families,
                                     bool *has_changed);

/* Among families of the planets from `first` to n_before, whose numbers may have changed since, the
 * one that a planet belongs to, or one without other members, into families[planet]. */
equant_status alias_family_find(study *star, size_t n_fixed, size_t planet, const solution *fitted,
                                solution *spare, size_t first, size_t n_before,
                                alias_family *families);

#endif
