/* The solutions around which walkers may begin: the best fit of a star, and its rivals with
 * other periods, each with its own width. */
#ifndef EQUANT_INFERENCE_SAMPLE_RUN_START_MODES_H
#define EQUANT_INFERENCE_SAMPLE_RUN_START_MODES_H

#include "inference/sample/target/model_priors.h"
#include "inference/priors/state_list.h"
#include "model/orbit_elements.h"

/* A parameter set with offsets, trend and jitters given, its planets by period and in the
 * coordinates of EQUANT_BASIS_REGULAR, in which it is nearly Gaussian; noise by logarithms. */
typedef struct start_mode {
    double *centre;    /* [n]                                                            */
    double *factor;    /* [n][n], lower triangle: Cholesky factor of the inverse of its
                          covariance                                                     */
    double log_weight; /* of its share of the posterior, roughly, up to a constant       */
} start_mode;

enum { START_MODES_MOST = 16 };

typedef struct start_modes {
    size_t n_planets, n_columns, n;
    start_mode mode[START_MODES_MOST]; /* the best first */
    bool has_letters; /* the planets of the fit know which of the priors are theirs    */
    size_t slots[STATE_LIST_MOST_PLANETS];
} start_modes;

typedef struct start_modes_request {
    const equant_dataset *dataset;
    size_t n_planets;
    int trend_order;
    const priors *priors;                /* their periods are the range of the search, and
                                            their noise that of the modes               */
    const equant_engine_options *engine; /* of scans                                    */
    size_t n_known;                      /* planets that the fit begins with            */
    const double *known;                 /* [n_known][N_ELEMENTS] elements                       */
    const equant_states *states; /* what is known; NULL: nothing. Then there are no rivals */
    double star_mass;
    uint64_t seed;
    equant_progress progress;
    void *progress_context;
} start_modes_request;

/* Freed with start_modes_free, also when this fails. */
equant_status start_modes_find(const start_modes_request *request, start_modes *found);
void start_modes_free(start_modes *found);

#endif
