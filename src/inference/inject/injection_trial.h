/* How probable injected planets would be in a fit: the evidence of one planet more, of the injected
 * orbit and of its rivals at other periods, behind the model of the star. Everything that is linear
 * in the residuals is worked out once for the star. */
#ifndef EQUANT_INFERENCE_INJECT_INJECTION_TRIAL_H
#define EQUANT_INFERENCE_INJECT_INJECTION_TRIAL_H

#include "inference/inject/circle_spectrum.h"
#include "inference/search/base_columns.h"

/* What planets are injected into. */
typedef struct injection_scene {
    base_columns base;        /* the model of the star: planets, offsets, trend, its noise */
    circle_spectrum spectrum; /* behind it */
    size_t n_found;           /* planets of the model */
    bool has_jitter;          /* errors grow where a model fits worse */
    size_t n_trend;           /* terms that a trend may have besides: rivals of long periods */
    double *trend;            /* [n_trend][n_obs], orthonormal, beside the basis */
    double probability_min;   /* from which a planet is recovered */
} injection_scene;

/* Made of a star and the best model of it; to be freed in any case. */
equant_status injection_scene_create(study *star, const solution *best, size_t n_fixed,
                                     int most_trend_terms, double probability_min,
                                     injection_scene *made);
void injection_scene_free(injection_scene *scene);

/* A planet that is injected, and what becomes of it. */
typedef struct injected_planet {
    double elements[N_ELEMENTS];
    double probability; /* that there is a planet with its period, as the data have it then */
    bool is_recovered;
} injected_planet;

/* Judges up to eight planets, each alone. noise, [n][n_obs] whitened, takes the place of the
 * residuals of the star; NULL: these. */
equant_status injection_trial_run(study *star, const injection_scene *scene, size_t n,
                                  const double *noise, injected_planet *planets);

#endif
