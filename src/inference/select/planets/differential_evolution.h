/* A global optimiser of all planets together: differential evolution, a genetic algorithm
 * whose mutations are differences between its members (Storn & Price 1997). It knows nothing
 * of periodograms, so that its answer is a check of theirs. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_DIFFERENTIAL_EVOLUTION_H
#define EQUANT_INFERENCE_SELECT_PLANETS_DIFFERENTIAL_EVOLUTION_H

#include <stdbool.h>

#include "equant.h"
#include "model/orbit_elements.h"

typedef struct differential_evolution_options {
    size_t n_planets; /* at least 1 */
    int trend_order;
    double period_min_days, period_max_days;
    double eccentricity_max;
    bool no_jitter; /* uncertainties are taken as they are */
    uint64_t seed;
    equant_progress progress; /* may be NULL */
    void *progress_context;
} differential_evolution_options;

/* Maximises the likelihood. Writes elements [n_planets][N_ELEMENTS], the strongest planet first,
 * jitters [n_instruments], and the log-likelihood; offsets and trend are those that a model
 * solves for. Near its end but not optimised. The same on any number of threads. engine may be
 * NULL. */
equant_status differential_evolution_run(const equant_dataset *dataset,
                                         const equant_engine_options *engine,
                                         const differential_evolution_options *options,
                                         double *elements, double *jitters, double *log_likelihood);

#endif
