/* Draws of a posterior, spread evenly over all of them, as those take them who look at other times
 * than those of the data: orbits and trend, offsets and jitters of all instruments, noise. */
#ifndef EQUANT_INFERENCE_PREDICT_DRAW_SETS_H
#define EQUANT_INFERENCE_PREDICT_DRAW_SETS_H

#include "inference/sample/run/posterior.h"

typedef struct draw_sets {
    const equant_posterior *posterior; /* of the caller */
    const parameter_layout *layout;
    size_t n, n_instruments;
    size_t *index;             /* [n]: which of all draws                                        */
    double *offsets, *jitters; /* [n][n_instruments], m/s                                       */
    size_t n_columns;          /* of an orbit set: orbits, an offset of zero, trend              */
    double *orbits;            /* [n][n_columns]                                                 */
    equant_engine_options engine;
    int n_threads;
} draw_sets;

/* At most `most` draws; 0: as many as there are. Runs with a kernel of fixed numbers are
 * refused. Offsets that the run integrated out are drawn from what the data leave of them. */
equant_status draw_sets_create(const equant_posterior *posterior,
                               const equant_engine_options *engine, size_t most, draw_sets *made);
void draw_sets_free(draw_sets *sets);

/* The parameters of a draw as the posterior has them. */
const double *draw_sets_parameters(const draw_sets *sets, size_t draw);

/* Observed less orbits, trend and offsets, [n][n_obs]. */
equant_status draw_sets_residuals(const draw_sets *sets, double *residuals);

/* Velocities of orbits and trend at ascending times, [n][n_times]. */
equant_status draw_sets_velocities(const draw_sets *sets, size_t n_times, const double *time_days,
                                   double *velocities);

/* An evaluator of these velocities on a backend, which takes `orbits`. */
equant_status draw_sets_evaluator(const draw_sets *sets, size_t n_times, const double *time_days,
                                  const char *backend_name, equant_evaluator **made);

/* Which mode each of them is in, [n]; posterior_modes has them; those of none are in the mode
 * behind the last. */
void draw_sets_modes(const draw_sets *sets, size_t *of_draw);

#endif
