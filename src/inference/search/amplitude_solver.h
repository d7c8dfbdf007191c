/* The likelihood of orbits whose shapes and phases are given, with everything that enters
 * linearly at its best: amplitudes, offsets and trend, by weighted least squares. A global
 * search then has three coordinates a planet instead of five. */
#ifndef EQUANT_INFERENCE_SEARCH_AMPLITUDE_SOLVER_H
#define EQUANT_INFERENCE_SEARCH_AMPLITUDE_SOLVER_H

#include "equant.h"
#include "model/orbit_elements.h"

typedef struct amplitude_solver amplitude_solver;

/* Copies what it needs of the data set. engine may be NULL. Works on one thread, whatever the
 * engine says: several solvers may run at once. */
equant_status amplitude_solver_create(const equant_dataset *dataset,
                                      const equant_engine_options *engine, size_t n_planets,
                                      int trend_order, amplitude_solver **solver);
void amplitude_solver_free(amplitude_solver *solver);

/* Solves n_sets rows of elements [n_planets][N_ELEMENTS], of which period, eccentricity and M0 are
 * read and K and omega are written, with jitters [n_sets][n_instruments]. Amplitudes that no
 * such data can show, far larger than the range of the velocities, have the likelihood of
 * the impossible: -inf. */
equant_status amplitude_solver_run(amplitude_solver *solver, size_t n_sets, double *elements,
                                   const double *jitters, double *log_likelihood);

#endif
