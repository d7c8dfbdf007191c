/* The best draw of a posterior as a star: what curves and residuals are drawn from where there
 * was no fit. */
#ifndef EQUANT_APP_STARS_POSTERIOR_RESULT_H
#define EQUANT_APP_STARS_POSTERIOR_RESULT_H

#include "stars/star_result.h"

/* Planets with half the width of their intervals as uncertainties; what only a fit knows is NaN.
 * Returns an exit code, with a sentence on failure; free the star in any case. */
int posterior_result_create(const equant_posterior *posterior, struct star_result *star);

/* The quantity of that name; false where the posterior has none. */
bool posterior_result_quantity(const equant_posterior *posterior, const char *name,
                               equant_sampled_quantity *quantity);

/* The quantity of that kind, an index of the catalogue, of planet `number` (from 1); false where
 * the posterior has none. */
bool posterior_result_of_planet(const equant_posterior *posterior, size_t kind, size_t number,
                                equant_sampled_quantity *quantity);

/* Whether the evidence of a run may be told: its populations, which have nothing in common but the
 * data, agree on it. One alone says nothing of that. */
bool posterior_result_trusts_evidence(const equant_posterior_summary *facts);

/* How the run was made, by the names of equant_posterior_provenance_name; NULL where it does not
 * say. */
const char *posterior_result_provenance(const equant_posterior *posterior, const char *name);

#endif
