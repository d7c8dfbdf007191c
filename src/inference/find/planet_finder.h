/* The hunt for the planets of a star: one more at a time, everything refitted, until noise
 * alone would do as well. */
#ifndef EQUANT_INFERENCE_HUNT_H
#define EQUANT_INFERENCE_HUNT_H

#include "inference/study/solution.h"

typedef struct hunt_options {
    equant_fit_method method;
    int n_planets; /* 0: as many as are significant; -1: none but the starting ones */
    size_t max_planets;
    double false_alarm_max, eccentricity_max;
    equant_trend trend;
    size_t n_start, n_fixed;
    const double *start; /* [n_start][5] */
    uint64_t seed;
} hunt_options;

typedef struct hunt_result {
    solution best;
    solution without_planets;
    bool has_candidate;
    solution candidate; /* the best model with one planet more, refused; the new
                           planet is its last */
    double candidate_false_alarm, candidate_gain;
    double gain[STAR_MAX_PLANETS]; /* ln L that the best model loses without the planet */
    double gain_bic[STAR_MAX_PLANETS];
    double false_alarm[STAR_MAX_PLANETS];
} hunt_result;

/* Zero-initialised results may be freed. */
equant_status hunt_run(star_study *star, const hunt_options *options, hunt_result *result);
void hunt_free(hunt_result *result);

#endif
