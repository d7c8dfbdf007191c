/* How well a solution is known: the covariance of its parameters, and the planets with the
 * uncertainties of everything that is derived from their elements. */
#ifndef EQUANT_INFERENCE_OPTIMISE_UNCERTAINTY_H
#define EQUANT_INFERENCE_OPTIMISE_UNCERTAINTY_H

#include "inference/optimise/solution.h"
#include "model/model_quantities.h"

/* Covariances of one parameter set, [n][n] each, n its columns: planets in coordinates that
 * are regular at e = 0, and as elements. Columns that are held (is_fixed of their planet, a
 * jitter of zero) have variance zero; a column that the data do not determine has NaN. */
typedef struct uncertainty {
    size_t n;
    double *regular, *elements;
} uncertainty;

equant_status uncertainty_create(study *star, const solution *fitted, const bool *is_fixed,
                                 uncertainty *made);
/* The same from a covariance that is known, [n][n], planets regular. */
equant_status uncertainty_take(const solution *fitted, size_t n, const double *regular,
                               uncertainty *made);
void uncertainty_free(uncertainty *made);

/* By what variances grow: errors are those of a noise level that was estimated along with n_fitted
 * parameters: chi-square is near n_obs after the jitters are fitted, where n_obs - n_fitted would
 * be right. */
double uncertainty_scale(const study *star, const solution *fitted, size_t n_fitted);

/* Lets a solution and what is known of it refer to the reference time of the caller, where the
 * model can no longer be evaluated by the study. */
void uncertainty_to_reference(const study *star, solution *fitted, uncertainty *known);

/* Observations that must share in the signal of a planet whose amplitude does not stand well above
 * its uncertainty. */
#define MEASUREMENT_SHARERS 5.0

/* Whether the planets of a solution are measurements and, where not, the first that is none. */
typedef struct measurement {
    bool is_one;
    size_t planet;
    double n_sharing; /* observations that share in its signal; NaN: the data say nothing of it */
} measurement;

/* Whether every planet behind the first n_fixed is a measurement: its amplitude stands well
 * above its uncertainty, or enough observations share in its signal. What a spike through one
 * or two observations fits is none. */
equant_status uncertainty_measure(study *star, const solution *fitted, size_t n_fixed,
                                  measurement *made);
/* The same, as an answer alone. */
equant_status uncertainty_measured(study *star, const solution *fitted, size_t n_fixed,
                                   bool *measured);

/* The first planet of which no amplitude is known: an error larger than it is none, however many
 * observations share in the signal. n_planets where there is none. */
equant_status uncertainty_open_amplitude(study *star, const solution *fitted, size_t n_fixed,
                                         size_t *planet);

/* How many observations share in the signal of a planet. */
equant_status uncertainty_n_sharing(study *star, const solution *fitted, size_t planet, double *n);

typedef struct quantity_estimate {
    double value, error;
} quantity_estimate;

/* One planet at the reference time of the caller with all that follows from its elements, by the
 * index of the catalogue; NaN for what is no quantity of a planet and for what wants more than is
 * known of the star, whose errors are propagated too. */
void uncertainty_planet(const study *star, const solution *fitted, const uncertainty *known,
                        size_t planet, const host_star *host,
                        quantity_estimate estimates[QUANTITIES_MOST]);

#endif
