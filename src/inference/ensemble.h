/* Walkers of all temperatures and populations as arrays, and the phases of a step over them:
 * each phase is a loop over rows that do not know of each other, a function of the arrays and
 * of the number of the step alone. */
#ifndef EQUANT_INFERENCE_ENSEMBLE_H
#define EQUANT_INFERENCE_ENSEMBLE_H

#include <stdbool.h>

#include "inference/sampler_target.h"
#include "physics/ensemble_moves.h"

/* The end of the ladder at which a walker has been last. */
enum ensemble_leg { ENSEMBLE_LEG_NONE, ENSEMBLE_LEG_COLD, ENSEMBLE_LEG_HOT };

typedef struct ensemble_shape {
    size_t n_temperatures, n_populations;
    size_t n_walkers; /* of one temperature of one population: a group; an even number */
    size_t n_coordinates, n_parameters;
} ensemble_shape;

typedef struct ensemble {
    ensemble_shape shape;
    uint64_t seed;
    int n_threads;
    unsigned char *is_angle, *block; /* [n_coordinates] */
    size_t n_blocks;
    unsigned char *labels; /* [n_blocks]: the different values of block ... */
    size_t *block_sizes;   /* ... and how many coordinates have each */

    /* Walkers, in rows [temperature][population][walker], the coldest temperature first. */
    double *beta;                       /* [n_temperatures], falling from 1 */
    double *coordinates;                /* [row][n_coordinates] */
    double *log_prior, *log_likelihood; /* [row] */
    unsigned char *leg;                 /* [row], an ensemble_leg */

    /* Proposals of one half of each group, in rows [temperature][population][n_walkers / 2]. */
    double *proposed;           /* [row][n_coordinates] */
    double *proposed_log_prior; /* [row]; -INFINITY: impossible, and not evaluated */
    double *log_factor;         /* [row]: what acceptance needs beside the target */
    unsigned char *accepted;    /* [row] */
    /* Parameter sets lie in the rows of their proposals until ensemble_gather moves those that
     * are possible to the front; place[row] says where. */
    double *parameters; /* [row or place][n_parameters] */
    size_t *place;
    double *proposed_log_likelihood; /* [place] */

    /* What guided moves follow, by groups: see guide.h. */
    double *centres, *factors, *scratch;
    unsigned char *has_guide;
} ensemble;

/* Freed with ensemble_free, also when this fails. The target is not kept. */
equant_status ensemble_create(ensemble *made, const ensemble_shape *shape,
                              const sampler_target *target, uint64_t seed, int n_threads);
void ensemble_free(ensemble *of);

size_t ensemble_n_rows(const ensemble_shape *shape);
/* Of the proposals. */
size_t ensemble_n_half_rows(const ensemble_shape *shape);

/* Half a step: walkers [half n_walkers / 2, (half + 1) n_walkers / 2) of each group move, the
 * others stay. In this order; ensemble_guide is needed for guided moves alone. */
void ensemble_guide(ensemble *of, size_t half);
void ensemble_propose(ensemble *of, const sampler_target *target, uint64_t step, size_t half,
                      ensemble_move move);
size_t ensemble_gather(ensemble *of); /* the number of parameter sets to evaluate */
equant_status ensemble_evaluate(ensemble *of, const sampler_target *target, size_t n_sets);
void ensemble_accept(ensemble *of, uint64_t step, size_t half);

/* The beginning, in place of propose and accept: start[population][temperature][walker]
 * [n_coordinates], or draws from the prior where start is NULL; and all are taken, likely or
 * not. */
void ensemble_place(ensemble *of, const sampler_target *target, size_t half, const double *start);
void ensemble_settle(ensemble *of, size_t half);

/* The threads that a loop over so much work is worth, by its rough cost on one. */
int ensemble_threads(const ensemble *of, double nanoseconds);

/* Whether walkers at this temperature are drawn from the prior instead of moved. */
bool ensemble_is_drawn(const ensemble *of, const sampler_target *target, size_t temperature);

/* The swaps of a step: between temperatures 0 and 1, 2 and 3 ... in even steps, between 1 and
 * 2, 3 and 4 ... in odd ones, so that walkers keep the direction in which they travel (Syed et
 * al. 2022, J. R. Stat. Soc. B 84, 321). Adds to rejection[pair][population] the probabilities
 * with which walkers stayed, and to round_trips[population] the walkers that came back to the
 * cold end from the hot one. */
void ensemble_swap(ensemble *of, uint64_t step, double *rejection, uint64_t *round_trips);

#endif
