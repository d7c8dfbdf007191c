/* The best orbits of planets that attract each other, from a start: Levenberg and Marquardt with
 * the derivatives of the integration, jitters by turns with the rest. */
#ifndef EQUANT_INFERENCE_INTERACTION_INTERACTING_FIT_H
#define EQUANT_INFERENCE_INTERACTION_INTERACTING_FIT_H

#include "inference/interaction/interacting_model.h"

typedef struct interacting_options {
    double star_mass;
    bool fixes_inclination;
    const equant_engine_options *engine;
    /* NULL, or asked between integrations: true ends the fit with EQUANT_ERROR_CANCELLED. */
    bool (*is_cancelled)(void *context);
    void *context;
} interacting_options;

typedef struct interacting_result {
    size_t n_planets, n_columns;
    double elements[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
    double covariance[INTERACTING_MOST * INTERACTING_MOST]; /* [n_columns][n_columns] */
    double log_likelihood, chi_square, chi_square_transits;
    double *residuals, *offsets, *jitters; /* owned */
    double *transits; /* [][3], as those of equant_nbody_transits, since the epoch; owned */
} interacting_result;

/* From elements near the best ones. A result must be freed; it has no elements where none of the
 * integrations from the start ends (log_likelihood -infinity). */
equant_status interacting_fit_from(const interacting_data *data, const interacting_options *options,
                                   size_t n_planets, const double *elements,
                                   interacting_result *made);

/* From Keplerian orbits at the epoch, which hold for a while only: first to the data nearest to the
 * epoch, then to ever more of them. */
equant_status interacting_fit_outwards(const interacting_data *data,
                                       const interacting_options *options, size_t n_planets,
                                       const double *elements, interacting_result *made);

void interacting_result_free(interacting_result *own);

#endif
