/* One model of a star with values for all of its parameters. */
#ifndef EQUANT_INFERENCE_OPTIMISE_SOLUTION_H
#define EQUANT_INFERENCE_OPTIMISE_SOLUTION_H

#include "inference/likelihood/study.h"
#include "model/prior_table.h"
#include "model/orbit_elements.h"

typedef struct solution {
    size_t n_planets;
    int trend_order;
    noise_choice noise; /* beside jitters */
    double log_likelihood, chi_square;
    double noise_price; /* in ln L, of its terms of noise; NaN: what they cost in the BIC */
    bool measured;      /* every amplitude that was fitted stands well above its uncertainty */
    double *set;        /* room for STUDY_MAX_PLANETS and a quadratic trend */
} solution;

/* Without planets and with the rough noise of each instrument. */
equant_status solution_create(const study *star, solution *made);
void solution_free(solution *made);
/* Both must have been created for the same star. */
void solution_copy(const study *star, const solution *from, solution *to);

/* What it has. */
study_shape solution_shape(const solution *fitted);

/* Its values of a term that the set has. */
double *solution_values(const study *star, const solution *fitted, parameter_term term);

/* Changes of shape that keep the other values: one planet more at the end, one less, another
 * order of the trend. */
void solution_add_planet(const study *star, solution *changed, const double elements[N_ELEMENTS]);
void solution_remove_planet(const study *star, solution *changed, size_t planet);
void solution_set_trend(const study *star, solution *changed, int order);

/* ln of the prior density of orbits, up to a constant (model/prior_table.h): periods log-uniform
 * but rare below a week, eccentricities as Kipping (2013) found them, and orbits that cross each
 * other unlikely. It
 * settles what the data leave open: an alias below one day against the period that makes it, a
 * spike through two observations against a smooth orbit, one eccentric planet that would have
 * scattered its neighbours against two that would not. */
double solution_log_prior(size_t n_planets, const double *set);
/* The standard deviation of all noise that was fitted to the observations of an instrument, in
 * m/s. */
double solution_restlessness(const study *star, const solution *fitted, size_t instrument);

/* ln L less what the noise beside jitters and outliers cost: by this, models of different noise are
 * compared. Where noise is offered, also less what the prior has against orbits that cross: two of
 * them are a way to imitate a star that turns. */
double solution_evidence(const study *star, const solution *fitted);
/* The same but for orbits that cross. */
double solution_likelihood_with_noise_paid(const study *star, const solution *fitted);
/* What the planets of one solution gain over another that lacks them: ln L less what outliers cost
 * or, where their noise differs, the evidence. */
double solution_gain(const study *star, const solution *with, const solution *without);
/* The same but for orbits that cross: the prior's word about them is meant for the best values, not
 * for all that the data leave open. */
double solution_gain_in_likelihood(const study *star, const solution *with,
                                   const solution *without);
/* By what solutions with as many planets are ranked: ln L, ln prior and, against each term of a
 * trend, half of what it costs in the BIC and a handicap besides: a trend is taken only where
 * it is clear. */
double solution_score(const study *star, const solution *fitted);

/* k ln N - 2 ln L, k counting every fitted column, and twice what outliers cost. */
double solution_bic(const study *star, const solution *fitted, size_t n_fixed);
size_t solution_n_fitted(const study *star, const solution *fitted, size_t n_fixed);

#endif
