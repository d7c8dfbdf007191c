/* Significance of a further planet: the false-alarm probability of its gain in ln L, given the data
 * and the grid of the search. */
#ifndef EQUANT_INFERENCE_SEARCH_SIGNIFICANCE_H
#define EQUANT_INFERENCE_SEARCH_SIGNIFICANCE_H

#include "inference/search/base_columns.h"
#include "inference/search/effective_span.h"
#include "inference/search/false_alarm.h"
#include "inference/search/scan_grid.h"
#include "inference/optimise/solution.h"

typedef struct significance {
    false_alarm_band bands[SCAN_GRID_MAX_LAYERS]; /* the highest frequencies first */
    size_t n_bands;
    double first_frequency_per_day, effective_span_days;
    size_t n_obs, n_columns; /* columns of terms, which are fitted in any case */
    /* Under correlated noise: */
    bool is_correlated;
    effective_span spans;
} significance;

/* Weights are those of the solution's jitters; with terms (NULL: none), the covariance is that of
 * their factor. It is not needed afterwards. */
equant_status significance_create(const study *star, const scan_grid *grid,
                                  const solution *weighted_by, const base_terms *terms,
                                  significance *made);

/* The search behind a model with n_base parameters of the velocity. Points into `judge`. */
false_alarm_search significance_search(const significance *judge, size_t n_base);

/* Of a planet of `with`, all else as in `without`. Long periods and nearly circular orbits are
 * fewer, so noise mimics them less often. Every factor of period has the same share of the risk,
 * and a planet is judged by the narrowest of four nested searches in eccentricity that holds it,
 * and by the share of that one (a weighted Bonferroni correction). And without a planet the star
 * would have to be as restless as the model without it says, which few are. */
double significance_of_planet(const study *star, const significance *judge, const solution *with,
                              const solution *without, double period_days, double eccentricity);

/* The share of stars that are at least as restless as a model says, by the instrument that says
 * most. */
double significance_usual_noise(const study *star, const solution *model);

/* The gain above which noise like that of `without` brings a planet like one of `with` with a
 * probability; at 1, what the best of all orbits gains by chance. */
double significance_level(const study *star, const significance *judge, const solution *with,
                          const solution *without, size_t planet, double probability);

#endif
