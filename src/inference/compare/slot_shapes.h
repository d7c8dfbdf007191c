/* Eccentric orbits of one frequency, all at once: their columns are sums of a few harmonics, so the
 * products of the harmonics with each other and with the rest of a model give those of every
 * eccentricity and phase. */
#ifndef EQUANT_INFERENCE_COMPARE_SLOT_SHAPES_H
#define EQUANT_INFERENCE_COMPARE_SLOT_SHAPES_H

#include "inference/compare/background.h"
#include "inference/compare/count_orbit.h"
#include "inference/compare/count_priors.h"

enum {
    SLOT_HARMONICS = 8,
    SLOT_LAYERS = 6,
    SLOT_WAVES = 2 * SLOT_HARMONICS,
    SLOT_MOST_NODES = 101, /* of all layers */
    SLOT_NODE_LANES = 8    /* nodes that are computed side by side */
};

/* Nodes: the first is the circle, which stands for all small eccentricities; then layer by layer
 * the phases of pericentre. */
typedef struct slot_shapes {
    const count_star *star;
    size_t n_layers, n_nodes;
    double edge[SLOT_LAYERS + 1]; /* eccentricities between layers */
    double share[SLOT_LAYERS];    /* of the prior */
    size_t n_phases[SLOT_LAYERS], first_node[SLOT_LAYERS];
    double *x, *y; /* [groups of lanes][SLOT_WAVES][lanes]: columns of nodes by harmonics */
} slot_shapes;

equant_status slot_shapes_create(const count_star *star, const count_priors *priors,
                                 slot_shapes *made);
void slot_shapes_free(slot_shapes *shapes);

/* Room of one population. */
typedef struct slot_shapes_room {
    double *waves, *whitened; /* [n_obs][SLOT_WAVES] */
    double *state;
} slot_shapes_room;

equant_status slot_shapes_room_create(const count_star *star, slot_shapes_room *made);
void slot_shapes_room_free(slot_shapes_room *room);

/* ln of the evidence of all nodes at a frequency, [n_nodes]. */
void slot_shapes_evaluate(const slot_shapes *shapes, const count_priors *priors,
                          const count_noise *noise, const background *rest, double frequency,
                          slot_shapes_room *room, double *log_evidence);

/* The node whose cell has an orbit. */
size_t slot_shapes_node(const slot_shapes *shapes, double eccentricity, double m0);
/* The share of the prior that a node's cell has among its frequency. */
double slot_shapes_share(const slot_shapes *shapes, size_t node);
/* A point within the cell by two numbers within (0, 1), distributed as the prior is. */
void slot_shapes_point(const slot_shapes *shapes, const count_priors *priors, size_t node,
                       double first, double second, double *eccentricity, double *m0);

#endif
