/* Where a planet more may be, as a distribution to draw from: the prior, weighted by the evidence
 * of the cells of a grid. The most probable frequencies have cells of all eccentricities and
 * phases, the others are weighted by circles. */
#ifndef EQUANT_INFERENCE_COMPARE_SLOT_PROPOSAL_H
#define EQUANT_INFERENCE_COMPARE_SLOT_PROPOSAL_H

#include "inference/compare/number_source.h"
#include "inference/compare/slot_shapes.h"
#include "inference/compare/slot_sums.h"

/* What all populations share. */
typedef struct slot_space {
    const count_star *star;
    const count_priors *priors;
    slot_grid grid;
    slot_shapes shapes;
    bool may_ask_gpu; /* false, until somebody says so */
    const equant_engine_options *engine;
} slot_space;

equant_status slot_space_create(const count_star *star, const count_priors *priors,
                                slot_space *made);
void slot_space_free(slot_space *space);

/* A bin with its mass, to be sorted by it. */
typedef struct slot_bin {
    double mass;
    size_t bin;
} slot_bin;

typedef struct slot_proposal {
    const slot_space *space;
    slot_sums sums;
    slot_shapes_room room;
    double *mass;  /* [n_bins], of which the largest is about 1 */
    double *below; /* [n_bins]: masses of all bins before */
    int *place;    /* [n_bins]: among the detailed ones; -1: a circle weights it */
    size_t n_detailed;
    size_t *detailed; /* bins */
    double *nodes;    /* [detailed][n_nodes]: ln of the evidence */
    slot_bin *order;  /* to work with */
    double reference; /* ln of the unit of mass */
    double log_total; /* ln of the evidence of all cells with their prior */
} slot_proposal;

equant_status slot_proposal_create(const slot_space *space, slot_proposal *made);
void slot_proposal_free(slot_proposal *proposal);

/* The noise has moved. */
equant_status slot_proposal_take_noise(slot_proposal *proposal, const count_noise *noise);
equant_status slot_proposal_make(slot_proposal *proposal, const count_noise *noise,
                                 const background *rest);

/* A draw; and ln of the evidence that its cell was given: exp(log_total) times the prior over it is
 * the density of draws. */
count_orbit slot_proposal_draw(const slot_proposal *proposal, number_source *numbers);
double slot_proposal_log_evidence(const slot_proposal *proposal, const count_orbit *orbit);

#endif
