/* How often noise alone makes a peak this high: the analytic false-alarm probability of
 * the largest peak of a periodogram, circular (Baluev 2008, MNRAS 385, 1279) or Keplerian
 * (in the manner of Baluev 2015, MNRAS 446, 1478). It is an upper bound, and close to the
 * truth where it is small. */
#ifndef EQUANT_INFERENCE_SEARCH_FALSE_ALARM_H
#define EQUANT_INFERENCE_SEARCH_FALSE_ALARM_H

#include <stddef.h>

/* A stretch of the frequencies that were searched, with orbits from the circle to
 * eccentricity_max (0: circles alone; beyond 0.99 is taken as 0.99). Which frequencies
 * they are does not matter, only how many; but under correlated noise the span is another at
 * each (effective_span.h). */
typedef struct false_alarm_band {
    double width_per_day, eccentricity_max;
    double effective_span_days; /* its own; 0: that of the search */
} false_alarm_band;

/* What was searched, and in which data. With n_obs observations, n_base parameters of the
 * velocity without the new planet (offsets, trend, five for each known planet) and a noise
 * level that the fits with and without it find for themselves, large gains come easier than
 * with a known level. n_obs = 0 means known. */
typedef struct false_alarm_search {
    double effective_span_days; /* of false_alarm_effective_span */
    size_t n_bands;
    const false_alarm_band *bands;
    size_t n_obs, n_base;
} false_alarm_search;

/* sqrt(4 pi) times the weighted standard deviation of the times. */
double false_alarm_effective_span(size_t n_obs, const double *time_days, const double *weight);

/* The probability that noise alone gains log_likelihood_gain or more somewhere, 0 to 1; 1
 * where there are too few observations to say. */
double false_alarm_probability(const false_alarm_search *search, double log_likelihood_gain);

/* The gain in log-likelihood that has this probability in (0, 1); infinite where none has. */
double false_alarm_level(const false_alarm_search *search, double probability);

#endif
