/* The best parameters of a model of which something is known: ln L and what the priors add to it,
 * climbed together. Values that are fixed are no unknowns; a normal prior is a row more of the
 * least squares. */
#ifndef EQUANT_INFERENCE_STATES_STATED_FIT_H
#define EQUANT_INFERENCE_STATES_STATED_FIT_H

#include "inference/states/stated_orbit.h"

typedef struct stated_problem {
    const equant_states *states;
    const equant_dataset *dataset;
    equant_evaluator *evaluator; /* offsets, trend and jitters are columns */
    parameter_layout layout;     /* of its sets                                          */
    const char *letters;         /* [n_planets]                                          */
    bool with_jitter;            /* false: jitters stay as they are                      */
    double star_mass;            /* solar masses; 0: unknown                             */
    size_t absent;               /* a planet that the model has not; n_planets: none     */
} stated_problem;

typedef struct stated_result {
    double log_likelihood, chi_square;
    double log_prior; /* of everything that is no range */
    size_t n_free;    /* parameters that were fitted    */
} stated_result;

/* Improves a set in place. What the states fix is at its value afterwards. `most` steps. */
equant_status stated_fit_climb(const stated_problem *problem, int most, double *set,
                               stated_result *found);

/* The covariance of a set at its best, [n][n], planets in EQUANT_BASIS_REGULAR: zero for what is
 * fixed or at an end of its range. Variances from the data are multiplied by data_scale, those of
 * priors are not. */
equant_status stated_fit_covariance(const stated_problem *problem, const double *set,
                                    double data_scale, double *covariance);

/* ln of what is said of the quantities that follow from an orbit, as factors of the likelihood:
 * transits, times of events, masses; -INFINITY beyond ranges. Threads may share the states. */
double stated_fit_log_derived(const equant_states *states, char letter, double reference_time_days,
                              double star_mass, const double elements[N_ELEMENTS]);

/* Adds what normal priors say of an orbit to the inverse of a covariance of its coordinates in
 * EQUANT_BASIS_REGULAR, [5] rows and columns of a matrix [n][n]. */
void stated_fit_add_precision(const equant_states *states, char letter, double reference_time_days,
                              double star_mass, const double elements[N_ELEMENTS], size_t n,
                              double *precision);

#endif
