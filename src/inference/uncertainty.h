/* How well a solution is known: the covariance of its parameters, and the planets with the
 * uncertainties of everything that is derived from their elements. */
#ifndef EQUANT_INFERENCE_UNCERTAINTY_H
#define EQUANT_INFERENCE_UNCERTAINTY_H

#include "inference/solution.h"

/* Covariances of one parameter set, [n][n] each, n its columns: planets in coordinates that
 * are regular at e = 0, and as elements. Columns that are held (is_fixed of their planet, a
 * jitter of zero) have variance zero; a column that the data do not determine has NaN. */
typedef struct uncertainty {
    size_t n;
    double *regular, *elements;
} uncertainty;

equant_status uncertainty_create(star_study *star, const solution *of, const bool *is_fixed,
                                 uncertainty *made);
void uncertainty_free(uncertainty *made);

/* Whether the amplitude of every planet behind the first n_fixed stands above its uncertainty
 * by the factor that makes it a measurement. What a spike through two observations fits does
 * not. */
equant_status uncertainty_measured(star_study *star, const solution *of, size_t n_fixed,
                                   bool *measured);

/* One planet with all that follows from its elements. The star's mass in solar masses, 0 where
 * it is unknown. False alarm and gains are left to the caller. */
void uncertainty_planet(const star_study *star, const solution *of, const uncertainty *known,
                        size_t planet, double star_mass, equant_planet *out);

#endif
