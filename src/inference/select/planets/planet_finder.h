/* The search for the planets of a star: one more at a time, everything refitted, until noise
 * alone would do as well. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_PLANET_FINDER_H
#define EQUANT_INFERENCE_SELECT_PLANETS_PLANET_FINDER_H

#include "inference/select/aliases/alias_families.h"
#include "inference/select/aliases/alias_pairs.h"
#include "inference/select/aliases/planet_odds.h"
#include "inference/select/planets/planet_rivals.h"
#include "inference/select/planets/refusal.h"
#include "inference/select/orbits/orbit_range.h"
#include "inference/optimise/noise_choice.h"
#include "inference/optimise/solution.h"
#include "model/orbit_elements.h"

typedef struct planet_finder_options {
    equant_fit_method method;
    int n_planets; /* 0: as many as are significant; -1: none but the starting ones */
    size_t max_planets;
    double false_alarm_max, probability_min, eccentricity_max;
    equant_trend trend;
    size_t n_known, n_fixed;
    const double *known; /* [n_known][N_ELEMENTS] */
    uint64_t seed;
    double deadline_s;     /* of wall_clock_s: when no planet more is looked for */
    double end_s;          /* of wall_clock_s: when nothing more is judged */
    bool keeps_partial;    /* a search that is cancelled ends with what it has found */
    bool no_probabilities; /* planets are judged by false alarms, and where noise could be in their
                              place by evidence, and have the periods that they were found with */
} planet_finder_options;

typedef struct planet_finder_result {
    solution best;
    solution without_planets;
    bool has_candidate;
    solution candidate; /* the best model with one planet more, refused; the new
                           planet is its last */
    double candidate_gain, candidate_bound_days;
    verdict candidate_verdict;
    double gain[STUDY_MAX_PLANETS]; /* ln L that the best model loses without the planet */
    double gain_bic[STUDY_MAX_PLANETS];
    double log_odds[STUDY_MAX_PLANETS]; /* of those that were found, see planet_odds.h */
    planet_absences together;           /* models that lack several of them at once */
    double false_alarm[STUDY_MAX_PLANETS];
    double bound_days[STUDY_MAX_PLANETS]; /* of periods at a limit; else NaN */
    noise_trial noise_trials[NOISE_MENU_MOST_TERMS], indicator_trials[NOISE_MENU_MOST_INDICATORS];
    alias_pairs pairs;
    orbit_range ranges[STUDY_MAX_PLANETS]; /* of planets that few observations share in; else NaN */
    alias_family families[STUDY_MAX_PLANETS]; /* of the planets that were found; n = 0 of others */
    double score, best_score; /* of the best model, and of the best that was seen; see model_score.h
                               */
    planet_rivals rivals;     /* without probabilities there are none */
    bool is_partial;     /* the search was cut off: figures that it had not worked out are NaN */
    bool is_out_of_time; /* no planet more was looked for because the time was over */
} planet_finder_result;

/* Zero-initialised results may be freed. */
equant_status planet_finder_run(study *star, const planet_finder_options *options,
                                planet_finder_result *result);
void planet_finder_free(planet_finder_result *result);

#endif
